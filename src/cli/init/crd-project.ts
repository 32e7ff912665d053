import { equalJson, type Json } from '@keelson/kubernetes/apimachinery';
import type { Collected } from '../collected.js';
import { ScaffoldError } from '../errors.js';
import { type CrdDocument, type CustomKind, kindOf, servedKinds } from '../import/index.js';
import { importLines, localNames, type ProjectFile, type ProjectSettings, readme, surroundings, TEST_MODULES } from '../scaffold/index.js';
import { type Definition, definitionOf, isDifference, noteLines } from '../translate/index.js';
import type { FoundCrds } from './found-crds.js';

/** A project that starts from CRDs. */
export interface CrdProject {
  readonly files: readonly ProjectFile[];
  /** Everything that the definitions do not say as the CRDs do, in Markdown, in short. */
  readonly differences: string;
}

export interface CrdProjectOptions extends ProjectSettings {
  /** Whether stored data may be pruned by the CRDs of the definitions. */
  readonly allowsPruning: boolean;
  readonly problems: Collected;
  readonly progress: (text: string) => void;
}

/** @throws ScaffoldError with every CRD that cannot be defined, and why */
export function crdProject(found: FoundCrds, around: CrdProjectOptions): CrdProject {
  const definitions = definitionsOf(found.crds, around);
  const files = [
    ...definitions.map(({ names, text }) => ({ path: `src/${names.file}.ts`, text })),
    { path: 'src/operator.ts', text: operatorFile(definitions, around) },
    { path: 'src/operator.test.ts', text: testFile(definitions, around) },
    { path: 'src/main.ts', text: cdk8sApp(around) },
    ...surroundings(around),
    { path: 'README.md', text: readmeOf(definitions, around, found.remarks) },
  ];
  return { files, differences: notesText(definitions, found.remarks, { isShort: true }) };
}

function definitionsOf(crds: readonly CrdDocument[], around: CrdProjectOptions): readonly Definition[] {
  const { problems, progress } = around;
  const served = crds.flatMap((document) =>
    problems.try(() => ({ document, ...(servedKinds(document)[0] as CustomKind) }), kindOf(document)),
  );
  const distinct = served.filter((each, index) => problems.try(() => isFirst(each, served.slice(0, index))).includes(true));
  const names = localNames(distinct);
  const definitions = distinct.flatMap(({ document }, index) => {
    progress(`translating ${document.place}`);
    return problems.try(() => checked(definitionOf(document, names[index] ?? ''), document, around), kindOf(document));
  });
  problems.refuse(ScaffoldError);
  return definitions;
}

interface ServedCrd extends CustomKind {
  readonly document: CrdDocument;
}

/** `false` for a CRD that stands in another file too: bundles and charts repeat those of a project. @throws ScaffoldError for two that differ */
function isFirst({ kind, group, document }: ServedCrd, before: readonly ServedCrd[]): boolean {
  const other = before.find((each) => each.kind === kind && each.group === group);
  if (other === undefined) return true;
  if (equalJson(other.document.crd as Json, document.crd as Json)) return false;
  throw new ScaffoldError(`${document.place}: ${kind}.${group} is another one in ${other.place}; leave one of the two out`);
}

/** @throws ScaffoldError for a definition whose CRD would prune stored data */
function checked(definition: Definition, { place }: CrdDocument, { allowsPruning }: CrdProjectOptions): Definition {
  const pruned = definition.notes.filter(({ is }) => is === 'pruned');
  if (pruned.length === 0 || allowsPruning) return definition;
  const lines = pruned.map(({ path, what = '' }) => `\n  ${path}: ${what}`).join('');
  throw new ScaffoldError(
    `${place}: the CRD of its definition would prune data of stored objects; declare the fields first, or give --allow-pruning:${lines}`,
  );
}

function notesText(definitions: readonly Definition[], remarks: readonly string[], { isShort }: { readonly isShort: boolean }): string {
  const parts = definitions.flatMap(({ names, notes }) => {
    const lines = noteLines(notes, { isShort });
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
    '@keelson/testing': ['type InProcessCluster', 'TestCluster'],
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

function readmeOf(definitions: readonly Definition[], { name, runner }: ProjectSettings, remarks: readonly string[]): string {
  const notes = notesText(definitions, remarks, { isShort: false });
  const differs = definitions.some((definition) => definition.notes.some(isDifference));
  const verdict = differs
    ? 'Each definition was compared with its CRD, leaf by leaf. The differences and their reasons:'
    : `The definitions make the very CRDs that they were written from.${notes === '' ? '' : ' Remarks:'}`;
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

${verdict}
${notes === '' ? '' : `\n${notes}`}`,
  });
}
