import { ScaffoldError } from '../errors.js';
import { importLines, kindProblem, type ProjectFile, type ProjectSettings, readme, surroundings, TEST_MODULES } from '../scaffold/index.js';
import { type Definition, definitionOf, noteLines } from '../translate/index.js';
import type { FoundCrds } from './found-crds.js';

/** A project that starts from CRDs. */
export interface CrdProject {
  readonly files: readonly ProjectFile[];
  /** Everything of the CRDs that the definitions do not say, or say otherwise, in Markdown. */
  readonly differences: string;
}

/** @throws ScaffoldError for a CRD that cannot be defined, and for kinds whose names are in each other's way */
export function crdProject(found: FoundCrds, around: ProjectSettings, progress: (text: string) => void): CrdProject {
  const definitions = found.crds.map((document) => {
    progress(`translating ${document.place}`);
    return definitionOf(document);
  });
  refuseNames(definitions);
  const differences = differencesOf(definitions, found.remarks);
  const files = [
    ...definitions.map(({ names, text }) => ({ path: `src/${names.file}.ts`, text })),
    { path: 'src/operator.ts', text: operatorFile(definitions, around) },
    { path: 'src/operator.test.ts', text: testFile(definitions, around) },
    { path: 'src/main.ts', text: cdk8sApp(around) },
    ...surroundings(around),
    { path: 'README.md', text: readmeOf(definitions, around, differences) },
  ];
  return { files, differences };
}

function refuseNames(definitions: readonly Definition[]): void {
  const seen = new Map<string, string>();
  for (const { names, group } of definitions) {
    const problem = kindProblem(names.kind);
    if (problem !== undefined) throw new ScaffoldError(`${names.kind}.${group}: ${problem}; leave its CRD out, and define it by hand`);
    const other = seen.get(names.file);
    if (other !== undefined)
      throw new ScaffoldError(`${names.kind}.${group}: a kind of ${other} has the same file; start a project for each group`);
    seen.set(names.file, group);
  }
}

function differencesOf(definitions: readonly Definition[], remarks: readonly string[]): string {
  const parts = definitions.flatMap(({ names, notes }) => {
    const lines = noteLines(notes);
    return lines.length === 0
      ? []
      : [`${names.kind}:\n\n${lines.map((line) => (line.startsWith('  ') ? line : `- ${line}`)).join('\n')}\n`];
  });
  const project = remarks.length === 0 ? [] : [`The project:\n\n${remarks.map((remark) => `- ${remark}`).join('\n')}\n`];
  return [...parts, ...project].join('\n');
}

const controllerOf = ({ names }: Definition): string => `${names.variable}Controller`;

function operatorFile(definitions: readonly Definition[], { name }: ProjectSettings): string {
  const kinds = Object.fromEntries(definitions.map((definition) => [`./${definition.names.file}.js`, [controllerOf(definition)]]));
  return `${importLines({ keelson: ['defineOperator'], ...kinds })}
/** Everything that is installed together and runs as one process. */
export const operator = defineOperator({
  name: '${name}',
  controllers: [${definitions.map(controllerOf).join(', ')}],
});
`;
}

function testFile(definitions: readonly Definition[], { runner }: ProjectSettings): string {
  const kinds = Object.fromEntries(definitions.map(({ names }) => [`./${names.file}.js`, [names.kind]]));
  const imports = importLines({
    [TEST_MODULES[runner]]: ['afterAll', 'beforeAll', 'expect', 'test'],
    'keelson/testing': ['type InProcessCluster', 'TestCluster'],
    './operator.js': ['operator'],
    ...kinds,
  });
  return `${imports}
let cluster: InProcessCluster;
beforeAll(async () => {
  cluster = await TestCluster.start({ operator, namespace: 'shop' });
  await cluster.startOperator();
});
afterAll(() => cluster.close());

${definitions.map(({ names: { kind } }) => `test('the API server takes the CRD of ${kind}', async () => {\n  expect(await cluster.list(${kind})).toEqual([]);\n});\n`).join('\n')}
test('asks for nothing without a right', async () => {
  await cluster.settled();
  cluster.requests.expectNoneDenied();
});
`;
}

function cdk8sApp({ name }: ProjectSettings): string {
  const imports = importLines({ cdk8s: ['App', 'Chart'], 'keelson/constructs': ['Operator'], './operator.js': ['operator'] });
  return `${imports}
const app = new App();

const system = new Chart(app, '${name}', { namespace: '${name}-system' });
new Operator(system, 'operator', {
  operator,
  image: process.env['IMAGE'] ?? 'registry.example.com/${name}:0.1.0',
  createNamespace: true,
});

app.synth();
`;
}

function readmeOf(definitions: readonly Definition[], { name, runner }: ProjectSettings, differences: string): string {
  return readme({
    name,
    runner,
    about:
      'A Kubernetes operator, started with keelson from existing CRDs. The definitions are complete; the controllers are empty, and leave every object as it is.',
    kinds: definitions.map(({ names: { kind, file, plural }, group, version }) => ({
      file: `${file}.ts`,
      holds: `${kind}: \`${plural}.${group}\`, ${version}`,
    })),
    tests: { file: 'operator.test.ts', hold: 'the first tests' },
    rest: `Next: the children of a kind in \`owns\` and \`reconcile\` of its controller. Webhooks: \`npx keelson create webhook KIND\`.

## Beside the CRDs

${differences === '' ? 'The definitions make the very CRDs that they were written from.\n' : `Each definition was compared with its CRD. The differences:\n\n${differences}`}`,
  });
}
