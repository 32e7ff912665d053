import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * A linter that is misconfigured finds nothing, and looks like a clean tree. So each rule that holds the architecture is shown one violation, in a
 * temporary tree under the project's own configuration, and has to find it; and each allowed import has to pass.
 */

/** The table of layers: what a room may import of ours. */
const GROUND = ['object', 'apimachinery'];
const DEFINITION = [...GROUND, 're2', 'kinds', 'structural', 'schema'];
const SERVER = [...GROUND, 're2', 'certificates', 'listening', 'cel', 'structural', 'kinds'];
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  object: [],
  apimachinery: ['object'],
  re2: GROUND,
  certificates: GROUND,
  listening: GROUND,
  cel: [...GROUND, 're2'],
  structural: [...GROUND, 're2', 'cel'],
  schema: [...GROUND, 're2', 'cel', 'structural'],
  kinds: GROUND,
  definition: DEFINITION,
  constructs: [...DEFINITION, 'definition'],
  packaging: [...DEFINITION, 'definition', 'constructs'],
  runtime: [...DEFINITION, 'definition', 'certificates', 'listening'],
  'api-server': SERVER,
  testing: [...SERVER, 'schema', 'definition', 'runtime', 'api-server'],
  cli: [...SERVER, 'schema', 'definition', 'constructs', 'packaging', 'runtime', 'api-server', 'testing'],
};

/** Which folders may import a package. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  cdk8s: ['constructs', 'packaging', 'cli'],
  'cdk8s-plus-30': ['constructs', 'packaging', 'cli'],
  constructs: ['constructs', 'packaging', 'cli'],
  '@kubernetes/client-node': ['runtime', 'testing', 'cli'],
  zod: ['schema', 'definition', 'constructs', 'packaging', 'runtime', 'testing', 'cli'],
  'node:fs': ['certificates', 'listening', 'kinds', 'packaging', 'runtime', 'api-server', 'testing', 'cli'],
  'node:fs/promises': ['certificates', 'listening', 'kinds', 'packaging', 'runtime', 'api-server', 'testing', 'cli'],
};

const folders = Object.keys(LAYERS);
const layerCases = folders.flatMap((folder) =>
  folders.filter((other) => other !== folder).map((other) => ({ folder, other, allowed: LAYERS[folder]?.includes(other) === true })),
);
const packageCases = folders.flatMap((folder) =>
  Object.entries(PACKAGES).map(([name, allowedIn]) => ({ folder, name, allowed: allowedIn.includes(folder) })),
);

/** The package that holds a room; the other rooms are packages themselves. */
const PACKAGE_OF: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['object', 'apimachinery', 're2', 'certificates', 'listening', 'cel', 'structural', 'kinds'].map((room) => [room, 'kubernetes']),
  ),
  ...Object.fromEntries(['schema', 'definition', 'constructs', 'packaging'].map((room) => [room, 'keelson'])),
};

/** A room as other packages name it. */
function nameOf(room: string): string {
  if (PACKAGE_OF[room] === 'kubernetes') return `@keelson/kubernetes/${room}`;
  if (PACKAGE_OF[room] === undefined) return `@keelson/${room}`;
  return room === 'constructs' || room === 'packaging' ? `keelson/${room}` : `keelson/internal/${room}`;
}

const placeOf = (room: string): string => join(PACKAGE_OF[room] ?? '', room);
const root = process.cwd();
const tree = mkdtempSync(join(tmpdir(), 'keelson-lint-'));

function plant(file: string, ...lines: string[]): void {
  mkdirSync(dirname(join(tree, file)), { recursive: true });
  writeFileSync(join(tree, file), `${lines.join('\n')}\n`);
}

interface Finding {
  readonly rule: string;
  readonly file: string;
  readonly message: string;
}

interface BiomeReport {
  readonly diagnostics: readonly { readonly category: string; readonly message: string; readonly location: { readonly path: string } }[];
}

interface OxlintReport {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string; readonly message: string }[];
}

function run<TReport>(tool: string, ...args: string[]): TReport {
  const { stdout, stderr } = spawnSync(join(root, 'node_modules/.bin', tool), args, { cwd: tree, encoding: 'utf8', maxBuffer: 1e8 });
  if (!stdout.trimStart().startsWith('{')) throw new Error(`${tool} gave no report: ${stdout}${stderr}`);
  return JSON.parse(stdout) as TReport;
}

/** In a test: a number that is a deadline of its own, and the same where it comes from test/deadline.cjs or is no deadline. */
const DEADLINES: readonly (readonly [form: string, violation: string, allowed: string])[] = [
  ['the timeout of a test', "test('a', async () => {}, 60_000);", "test('a', async () => {}, 2 * DEADLINE_MS);"],
  [
    'the timeout of a test under a name',
    "const WITHIN_MS = 60_000;\nit.only('a', async () => {}, 2 * WITHIN_MS);",
    "it.only('a', async () => {});",
  ],
  ['the timeout of rows', "test.each([1, 2])('%s', async () => {}, 60_000);", "test.each([1, 60_000])('%s', async () => {});"],
  [
    'the timeout of a test that may be skipped',
    "(lacks ? test.failing : test)('a', async () => {}, 60_000);",
    "(lacks ? test.failing : test)('a', () => {});",
  ],
  ['the timeout of a hook', 'beforeAll(async () => {}, 60_000);', 'beforeAll(async () => {}, DEADLINE_MS);'],
  ['jest.setTimeout', 'jest.setTimeout(HANG_MS);', 'jest.useFakeTimers();'],
  ['the timeout of a process', "spawnSync('a', [], { timeout: 500 });", "spawnSync('a', [], { timeout: DEADLINE_MS });"],
  ['the timeout of a test cluster', "TestCluster.start({ timeout: '100s' });", 'TestCluster.start({ timeout: DEADLINE_MS });'],
  ['the timeout of a wait', "cluster.until(condition, { timeout: '5s' });", "cluster.until(condition, { timeout: '200ms' });"],
  ['a signal', 'AbortSignal.timeout(10_000);', 'AbortSignal.timeout(200);'],
  ['a timer', 'setTimeout(() => reject(), 20_000);', 'setTimeout(() => reject(), DEADLINE_MS);'],
  ['a wait', 'eventually(condition, 60_000);', "eventually(condition, 'a Pod');"],
  ['a loop', 'const end = performance.now() + 10_000;', 'const end = performance.now() + DEADLINE_MS;'],
  ['a loop by the date', 'let end;\nend = Date.now() + 10_000;', 'const day = new Date(Date.now() + 86_400_000);'],
];

const deadlineFile = (form: string, isAllowed: boolean): string =>
  `test/${isAllowed ? 'allowed' : 'forbidden'}/${form.replaceAll(/[ .]/g, '-')}.test.ts`;

const biome = (): Finding[] =>
  run<BiomeReport>('biome', 'lint', '--reporter=json', '--max-diagnostics=none', 'src').diagnostics.map(
    ({ category, location, message }) => ({
      rule: category.replace(/^lint\/[a-zA-Z]+\//, ''),
      file: location.path,
      message,
    }),
  );

const oxlint = (): Finding[] =>
  run<OxlintReport>('oxlint', '--type-aware', '--format=json', 'src', 'test').diagnostics.map(({ code, filename, message }) => ({
    rule: code.replace(/^.*\((.*)\)$/, '$1'),
    file: filename,
    message,
  }));

let findings: readonly Finding[] = [];
const found = (file: string): string[] => findings.filter((finding) => finding.file === file).map(({ rule }) => rule);

const layerFile = (folder: string, other: string): string => `src/${placeOf(folder)}/uses-${other}.ts`;
const packageFile = (folder: string, name: string): string =>
  `src/${placeOf(folder)}/loads-${name.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, '')}.ts`;

function plantLayers(): void {
  for (const folder of folders) {
    plant(`src/${placeOf(folder)}/inner.ts`, `export const inner = '${folder}';`);
    plant(`src/${placeOf(folder)}/index.ts`, "export { inner } from './inner.js';");
  }
  for (const { folder, other } of layerCases) {
    const door = PACKAGE_OF[folder] === PACKAGE_OF[other] && PACKAGE_OF[folder] !== undefined ? `../${other}/index.js` : nameOf(other);
    plant(layerFile(folder, other), `import { inner } from '${door}';`, '', 'export const used = inner;');
  }
  for (const { folder, name } of packageCases)
    plant(packageFile(folder, name), `import * as loaded from '${name}';`, '', 'export const used = loaded;');
}

function plantBiomeViolations(): void {
  plant('src/keelson/definition/past-the-door.ts', "import { inner } from '../schema/inner.js';", '', 'export const used = inner;');
  plant('src/keelson/definition/deep/nested.ts', "import { inner } from '../../schema/index.js';", '', 'export const used = inner;');
  plant('src/runtime/by-its-path.ts', "import { inner } from '../kubernetes/kinds/index.js';", '', 'export const used = inner;');
  plant('src/keelson/constructs/deep/inner.ts', "export const inner = 'deep';");
  plant('src/keelson/constructs/deep/index.ts', "export { inner } from './inner.js';");
  plant('src/keelson/constructs/past-the-door.ts', "export { inner } from './deep/inner.js';");
  plant('src/keelson/constructs/wide/past-the-door.ts', "export { inner } from '../deep/inner.js';");
  plant('src/keelson/constructs/wide/past-the-outer-door.ts', "export { inner } from '../../definition/inner.js';");
  plant(
    'src/keelson/constructs/wide/nested.ts',
    "import { inner as other } from '../../definition/index.js';",
    "import { inner } from '../deep/index.js';",
    '',
    'export const used = [inner, other];',
  );
  plant('src/kubernetes/apimachinery/deep/upwards.ts', "import { inner } from '../../cel/index.js';", '', 'export const used = inner;');
  plant('src/kubernetes/apimachinery/deep/upwards-type.ts', "export type Used = import('../../cel/index.js').Inner;");
  plant('src/kubernetes/apimachinery/deep/upwards-late.ts', "export const used = import('../../cel/index.js');");
  plant('src/keelson/index.ts', "import { inner } from './constructs/index.js';", '', 'export const used = inner;');
  plant('src/keelson/schema/egg.ts', "import { hen } from './hen.js';", '', 'export const egg = (): string => hen();');
  plant('src/keelson/schema/hen.ts', "import { egg } from './egg.js';", '', 'export const hen = (): string => egg();');
  plant(
    'src/keelson/schema/type-egg.ts',
    "import type { Hen } from './type-hen.js';",
    '',
    'export interface Egg {',
    '  readonly of: Hen;',
    '}',
  );
  plant(
    'src/keelson/schema/type-hen.ts',
    "import type { Egg } from './type-egg.js';",
    '',
    'export interface Hen {',
    '  readonly from: Egg;',
    '}',
  );
  plant('src/keelson/schema/everything.ts', "export * from './inner.js';");
  plant('src/keelson/schema/default.ts', 'export default 1;');
  plant('src/keelson/schema/CamelCase.ts', 'export const a = 1;');
  plant('src/keelson/schema/console.ts', "console.log('a');");
  plant('src/keelson/schema/any.ts', 'export const a: any = 1;');
}

function plantOxlintViolations(): void {
  plant('src/runtime/floating.ts', 'const later = async (): Promise<void> => {};', 'later();', 'export {};');
  plant(
    'src/runtime/missing-case.ts',
    "export function word(value: 'a' | 'b'): string {",
    '  switch (value) {',
    "    case 'a':",
    "      return 'A';",
    '  }',
    "  return '';",
    '}',
  );
  plant('src/runtime/unsafe.ts', "const parsed = JSON.parse('1');", 'export const a: number = parsed;');
  plant('src/runtime/parameters.ts', 'export const f = (a: 1, b: 1, c: 1, d: 1, e: 1): number => a + b + c + d + e;');
  plant('src/runtime/long-file.ts', ...Array.from({ length: 601 }, (_, index) => `export const a${index} = ${index};`));
  plant(
    'src/runtime/long-function.ts',
    'export function f(): void {',
    ...Array.from({ length: 61 }, (_, index) => `  void ${index};`),
    '}',
  );
}

function plantDeadlines(): void {
  for (const [form, violation, allowed] of DEADLINES) {
    plant(deadlineFile(form, false), violation, 'export {};');
    plant(deadlineFile(form, true), allowed, 'export {};');
  }
}

beforeAll(() => {
  for (const file of ['biome.json', '.oxlintrc.json', 'tsconfig.json', 'package.json']) cpSync(join(root, file), join(tree, file));
  for (const folder of ['node_modules', 'scripts']) symlinkSync(join(root, folder), join(tree, folder));
  plantLayers();
  plantBiomeViolations();
  plantOxlintViolations();
  plantDeadlines();
  findings = [...biome(), ...oxlint()];
});

afterAll(() => rmSync(tree, { recursive: true, force: true }));

describe('layers', () => {
  test.each(layerCases.filter(({ allowed }) => !allowed))('$folder may not import $other', ({ folder, other }) => {
    expect(found(layerFile(folder, other))).toContain('layer');
  });

  test.each(layerCases.filter(({ allowed }) => allowed))('$folder may import $other', ({ folder, other }) => {
    expect(found(layerFile(folder, other))).not.toContain('layer');
  });

  test.each(packageCases)('$folder and the package $name: allowed is $allowed', ({ folder, name, allowed }) => {
    expect(found(packageFile(folder, name)).includes('layer')).toBe(!allowed);
  });

  test.each([
    'src/kubernetes/apimachinery/deep/upwards.ts',
    'src/kubernetes/apimachinery/deep/upwards-type.ts',
    'src/kubernetes/apimachinery/deep/upwards-late.ts',
    'src/keelson/index.ts',
  ])('%s may not reach upwards either', (file) => {
    expect(found(file)).toContain('layer');
  });

  test('a finding says which rule of the architecture it breaks', () => {
    const finding = findings.find(({ file }) => file === layerFile('runtime', 'constructs'));
    expect(finding?.message).toContain('never constructs');
  });
});

describe('doors, cycles and house rules', () => {
  test.each([
    ['src/keelson/definition/past-the-door.ts', 'door'],
    ['src/runtime/by-its-path.ts', 'door'],
    ['src/keelson/schema/egg.ts', 'noImportCycles'],
    ['src/keelson/schema/hen.ts', 'noImportCycles'],
    ['src/keelson/schema/type-egg.ts', 'noImportCycles'],
    ['src/keelson/schema/everything.ts', 'noReExportAll'],
    ['src/keelson/schema/default.ts', 'noDefaultExport'],
    ['src/keelson/schema/CamelCase.ts', 'useFilenamingConvention'],
    ['src/keelson/schema/console.ts', 'noConsole'],
    ['src/keelson/schema/any.ts', 'noExplicitAny'],
    ['src/runtime/floating.ts', 'no-floating-promises'],
    ['src/runtime/missing-case.ts', 'switch-exhaustiveness-check'],
    ['src/runtime/unsafe.ts', 'no-unsafe-assignment'],
    ['src/runtime/parameters.ts', 'max-params'],
    ['src/runtime/long-file.ts', 'max-lines'],
    ['src/runtime/long-function.ts', 'max-lines-per-function'],
  ])('%s breaks %s', (file, rule) => {
    expect(found(file)).toContain(rule);
  });

  test.each([
    'src/keelson/constructs/past-the-door.ts',
    'src/keelson/constructs/wide/past-the-door.ts',
    'src/keelson/constructs/wide/past-the-outer-door.ts',
  ])('%s re-exports past a door', (file) => {
    expect(found(file)).toContain('door');
  });

  test.each(['src/keelson/definition/deep/nested.ts', 'src/keelson/constructs/wide/nested.ts'])(
    'the door of another folder is open, from a nested folder too: %s',
    (file) => {
      expect(found(file)).toEqual([]);
    },
  );
});

describe('a test has no deadline of its own', () => {
  test.each(DEADLINES)('%s', (form) => {
    expect(found(deadlineFile(form, false))).toContain('no-literal');
    expect(found(deadlineFile(form, true))).not.toContain('no-literal');
  });
});
