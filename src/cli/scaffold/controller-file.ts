import { importLines } from './import-lines.js';
import { TEST_MODULES, type TestRunner } from './test-runner.js';

export interface ControllerFile {
  /** `backup`: of the controller, and at the end of its children's names. */
  readonly name: string;
  /** `backupController`. */
  readonly variable: string;
  /** `backup-controller`. */
  readonly file: string;
  readonly kind: string;
  /** The file that exports the kind, without its extension. */
  readonly kindModule: string;
  readonly runner: TestRunner;
}

/** One more controller for a kind: it reads nothing of the spec, so it fits every kind as it is written. */
export function controllerFile({ name, variable, kind, kindModule }: ControllerFile): string {
  return `${importLines({ keelson: ['defineController'], 'keelson/kinds': ['ConfigMap'], [`./${kindModule}.js`]: [kind] })}
/** The ConfigMap that goes with a ${kind}. */
export function configMapFor({ metadata: { name, generation } }: ${kind}): ConfigMap {
  return ConfigMap({ metadata: { name: \`\${name}-${name}\` }, data: { name, generation: String(generation) } });
}

/** Keeps a ConfigMap for each ${kind}. The status belongs to the kind's first controller: two would undo each other's. */
export const ${variable} = defineController({
  name: '${name}',
  for: ${kind},
  owns: { configMaps: ConfigMap },
  writesStatus: false,
  reconcile({ object, done }) {
    return done({ owned: { configMaps: [configMapFor(object)] } });
  },
});
`;
}

export function controllerTestFile({ name, variable, file, kind, kindModule, runner }: ControllerFile): string {
  const imports = importLines({
    [TEST_MODULES[runner]]: ['expect', 'test'],
    '@keelson/testing': ['reconcileOnce'],
    [`./${kindModule}.js`]: [kind],
    [`./${file}.js`]: [variable],
    './operator.js': ['operator'],
  });
  return `${imports}
// The controller reads metadata alone, so the spec may be empty here.
const object = ${kind}({ metadata: { name: 'first', generation: 2 }, spec: {} as ${kind}['spec'] }) as ${kind};

test('keeps a ConfigMap for each ${kind}', async () => {
  const { owned } = await reconcileOnce(${variable}, { object });
  expect(owned?.['configMaps']).toMatchObject([{ metadata: { name: 'first-${name}' }, data: { name: 'first', generation: '2' } }]);
});

test('is part of the operator', () => {
  expect(operator.controllers).toContain(${variable});
});
`;
}
