import { z } from 'zod';
import { rehearse } from '../../../src/cli/rehearsal/index.js';
import { defineController, defineOperator, external, settings } from '../../../src/keelson/index.js';
import { ConfigMap } from '../../../src/kubernetes/kinds/index.js';
import { DEADLINE_MS } from '../../deadline.cjs';
import { Kiln, kiln } from './kiln-operator.js';

interface Bank {
  readonly accounts: { readonly members: { list(name: string): Promise<readonly string[]> } };
  transfer(name: string): Promise<void>;
}

const bank = external<Bank>();

/** An operator whose runs do what is given here. */
function askingOperator(ask: (outside: Bank) => unknown) {
  const controller = defineController({
    name: 'bank',
    for: Kiln,
    uses: { bank },
    async reconcile({ object, bank: outside, done }) {
      await ask(outside);
      return done({ status: { ready: object.spec.replicas } });
    },
  });
  return defineOperator({ name: 'bank-operator', controllers: [controller] });
}

const WAYS: readonly (readonly [string, string, (outside: Bank) => unknown])[] = [
  ['a method', 'bank.transfer', (outside) => outside.transfer('a')],
  ['a method of a group', 'bank.accounts.members.list', (outside) => outside.accounts.members.list('a')],
  ['a method that is taken out', 'bank.transfer', ({ transfer }) => transfer('a')],
];

test.each(WAYS)('%s of an external that a run needs is known after, not a failure', async (_, name, ask) => {
  const input = { objects: [kiln('a')], definitions: [], playsPods: false, timeoutMs: DEADLINE_MS };
  const { problems, withheld } = await rehearse({ ...input, operator: askingOperator(ask) });
  expect(problems).toEqual([{ reason: 'withheld', subject: 'Kiln shop/a', message: name }]);
  expect(withheld).toEqual([name]);
});

test('an external that a run looks at and does not call is no problem', async () => {
  const input = { objects: [kiln('a')], definitions: [], playsPods: false, timeoutMs: DEADLINE_MS };
  const { problems, withheld } = await rehearse({ ...input, operator: askingOperator((outside) => typeof outside.accounts.members) });
  expect([problems, withheld]).toEqual([[], []]);
});

const config = settings(z.object({ image: z.string(), token: z.string(), workers: z.number().default(2) }), {
  prefix: 'KILN_',
  secret: ['token'],
});

const configured = defineOperator({
  name: 'configured-operator',
  controllers: [
    defineController({
      name: 'configured',
      for: Kiln,
      owns: { configs: ConfigMap },
      uses: { config },
      reconcile: ({ object, config: { image, workers }, done }) =>
        done({ owned: { configs: [ConfigMap({ metadata: { name: object.metadata.name }, data: { image, workers: `${workers}` } })] } }),
    }),
  ],
});

test('the settings of the operator come from the environment of the command', async () => {
  const input = { objects: [kiln('a')], definitions: [], playsPods: false, timeoutMs: DEADLINE_MS };
  const environment = { KILN_IMAGE: 'kiln:7', KILN_TOKEN: 'hunter2', KILN_WORKERS: '5' };
  const { after, problems } = await rehearse({ ...input, operator: configured, environment });
  expect(problems).toEqual([]);
  expect([...after.values()].find(({ kind }) => kind === 'ConfigMap')).toMatchObject({ data: { image: 'kiln:7', workers: '5' } });
});

test('a setting that is missing is named by its variable, and the way to give it', async () => {
  const input = { objects: [kiln('a')], definitions: [], playsPods: false, timeoutMs: DEADLINE_MS, environment: { KILN_TOKEN: 'hunter2' } };
  const answer = rehearse({ ...input, operator: configured });
  await expect(answer).rejects.toThrow(/KILN_IMAGE/);
  await expect(answer).rejects.not.toThrow(/hunter2/);
});
