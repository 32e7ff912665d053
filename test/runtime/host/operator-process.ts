import { defineController, defineOperator } from '../../../src/index.js';
import { ConfigMap } from '../../../src/kinds/index.js';
import { run } from '../../../src/runtime/index.js';
import { Website, websiteOperator } from '../reconcile/website.js';

/** An operator as an image runs it: everything from the environment. */
const leaking = defineOperator({
  name: 'website-operator',
  controllers: [
    defineController({
      name: 'website',
      for: Website,
      owns: { configs: ConfigMap },
      reconcile: ({ done }) => {
        setInterval(() => undefined, 1_000);
        return done();
      },
    }),
  ],
});

void run(process.env['TEST_LEAKS'] === 'yes' ? leaking : websiteOperator);
