import { importLines } from './import-lines.js';
import type { KindNames } from './kind-names.js';
import { TEST_MODULES, type TestRunner } from './test-runner.js';

export interface WebhookFile extends KindNames {
  /** `gadget-webhooks`. */
  readonly file: string;
  /** The value of the label that is set. */
  readonly label: string;
  /** The file that exports the kind, without its extension. */
  readonly kindModule: string;
  readonly runner: TestRunner;
}

/** Webhooks for a kind: they look at metadata alone, so they fit every kind as they are written. */
export function webhookFile({ kind, variable, label, kindModule }: WebhookFile): string {
  return `${importLines({ keelson: ['defaulting', 'validating'], [`./${kindModule}.js`]: [kind] })}
const LABEL = 'app.kubernetes.io/part-of';

/** Labels the object, which a schema cannot do: its defaults end where metadata begins. */
export const ${variable}Defaults = defaulting(${kind}, ({ metadata }) => {
  metadata.labels = { [LABEL]: '${label}', ...metadata.labels };
});

/** The label says where the object belongs: it is set once, and stays. */
export const ${variable}Checks = validating(${kind}, ({ metadata }, { old }) => {
  const before = old?.metadata.labels?.[LABEL];
  const isKept = before === undefined || before === metadata.labels?.[LABEL];
  return isKept ? [] : [{ path: 'metadata.labels', message: \`\${LABEL} cannot be changed: it was \${before}\` }];
});
`;
}

export function webhookTestFile({ kind, variable, file, label, kindModule, runner }: WebhookFile): string {
  const imports = importLines({
    [TEST_MODULES[runner]]: ['expect', 'test'],
    keelson: ['type Refusal'],
    [`./${kindModule}.js`]: [kind],
    [`./${file}.js`]: [`${variable}Checks`, `${variable}Defaults`],
    './operator.js': ['operator'],
  });
  return `${imports}
const LABEL = 'app.kubernetes.io/part-of';

/** The webhooks read metadata alone, so the spec may be empty here. */
function labelled(labels?: Record<string, string>): ${kind} {
  return ${kind}({
    metadata: { name: 'first', namespace: 'shop', ...(labels && { labels }) },
    spec: {} as ${kind}['spec'],
  }) as ${kind};
}

test('sets the label, unless it is there', () => {
  const apply = ${variable}Defaults.handle as (object: ${kind}) => void;
  const [without, other] = [labelled(), labelled({ [LABEL]: 'shop' })];
  apply(without);
  apply(other);
  expect([without, other].map(({ metadata }) => metadata.labels?.[LABEL])).toEqual(['${label}', 'shop']);
});

test('refuses another label than before, and lets everything else pass', () => {
  const { update } = ${variable}Checks.handle as { update: (object: ${kind}, context: { old: ${kind} }) => readonly Refusal[] };
  const old = labelled({ [LABEL]: 'shop' });
  expect(update(labelled({ [LABEL]: 'shop', team: 'a' }), { old })).toEqual([]);
  expect(update(labelled(), { old })).toMatchObject([{ path: 'metadata.labels' }]);
});

test('are part of the operator', () => {
  expect(operator.webhooks).toEqual(expect.arrayContaining([${variable}Defaults, ${variable}Checks]));
});
`;
}
