/** As a project has it; the packages are found as those of a project. */
export const KILN_MODULE = `import { defineController, defineCustomResource, defineOperator, k } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { z } from 'zod';

const Kiln = defineCustomResource({ group: 'lab.example.org', kind: 'Kiln', versions: { v1: { spec: z.object({ heat: k.int32().min(1) }) } } });
const controller = defineController({
  name: 'kiln',
  for: Kiln,
  owns: { configs: ConfigMap },
  reconcile: ({ object: { metadata, spec }, done }) =>
    done({ owned: { configs: [ConfigMap({ metadata: { name: metadata.name }, data: { heat: String(spec.heat) } })] } }),
});
export const operator = defineOperator({ name: 'kiln-operator', controllers: [controller] });
`;
