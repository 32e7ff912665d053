import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript-5.9';
import { type ProjectSettings, packagesAt, surroundings } from '../../src/cli/scaffold/index.js';
import { COMPILERS, type Diagnostic, diagnosticsOf, FIXTURES, run } from './compilers';
import { Declarations } from './declarations';

const scratch: string = mkdtempSync(join(tmpdir(), 'keelson-types-'));
let declarations: Declarations;

beforeAll(() => {
  declarations = Declarations.emittedTo(join(scratch, 'keelson'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A project outside of the tree. */
function project(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(scratch, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return declarations.project(folder, { include: ['*.ts'] });
}

/** The lines that a fixture says are wrong. */
function wrongLines(folder: string): string[] {
  return readdirSync(join(FIXTURES, folder)).flatMap((file) =>
    readFileSync(join(FIXTURES, folder, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (line.includes('// wrong: ') ? [`${folder}/${file}:${index + 1}`] : [])),
  );
}

function lines(diagnostics: readonly Diagnostic[]): string[] {
  return [...new Set(diagnostics.map(({ file, line }) => `${file}:${line}`))].sort();
}

/** The compiler lists the members of a union in the order in which it met them anywhere in the program: a change elsewhere must not show here. */
function withOrderedUnions(text: string): string {
  return text.replace(/(?:"[^"]*"|`[^`]*`|undefined)(?: \| (?:"[^"]*"|`[^`]*`|undefined))+/g, (union) =>
    union.split(' | ').sort().join(' | '),
  );
}

function expectGolden(name: string, given: string): void {
  const text = withOrderedUnions(given);
  const path = join(FIXTURES, 'goldens', name);
  if (process.env['UPDATE_GOLDENS'] !== undefined || !existsSync(path)) writeFileSync(path, text);
  expect(text).toBe(readFileSync(path, 'utf8'));
}

describe.each(COMPILERS)('$name', ({ name, tsc }) => {
  test("a whole program and the type tests compile, and the declaration of a user's definition knows no zod", () => {
    const out = join(scratch, `declarations-${name}`);
    const good = declarations.project(join(scratch, 'good'), { include: [join(FIXTURES, 'good'), join(FIXTURES, '../*.test-d.ts')] });
    expect(run(tsc, ['-p', good, '--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', out])).toBe('');
    const declaration = readFileSync(join(out, FIXTURES, 'good/whole-program.d.ts'), 'utf8');
    expect(declaration).not.toMatch(/zod/i);
    expect(declaration).toContain('size?: number | undefined;');
    expect(declaration).toContain('cacheController: import("keelson").Controller<');
    expect(declaration.length).toBeLessThan(4000);
    const builtin = readFileSync(join(out, FIXTURES, 'good/builtin-fields.d.ts'), 'utf8');
    expect(builtin).not.toMatch(/zod/i);
    // The older compiler writes all fields of a Pod out.
    if (name === 'typescript-7') expect(builtin).toContain('readonly spec?: import("@keelson/kubernetes/kinds").PodSpec | undefined;');
  });

  test('what is wrong is refused at the line of the user, in few words', () => {
    const bad = declarations.project(join(scratch, 'bad'), { include: [join(FIXTURES, 'bad')], noUnusedLocals: false });
    const diagnostics = diagnosticsOf(run(tsc, ['-p', bad]));
    expect(lines(diagnostics)).toEqual(wrongLines('bad').sort());
    for (const { text } of diagnostics) expect(text.split('\n').length).toBeLessThanOrEqual(6);
    expectGolden(`bad.${name}.txt`, diagnostics.map(({ file, line, text }) => `${file}:${line} ${text}\n`).join(''));
  });

  // The flags that depend on `strictNullChecks` go with it.
  test.each<[string, Readonly<Record<string, boolean>>]>([
    ['strict: false', { strict: false, exactOptionalPropertyTypes: false }],
    ['strictNullChecks: false', { strictNullChecks: false, exactOptionalPropertyTypes: false }],
    ['checked JavaScript', { allowJs: true, checkJs: true }],
    ['checked JavaScript with strict: false', { allowJs: true, checkJs: true, strict: false, exactOptionalPropertyTypes: false }],
  ])('with %s the right compiles, and the wrong does not', (what, flags) => {
    const folder = join(scratch, `loose-${name}-${what.replace(/\W+/g, '-')}`);
    const extension = flags['checkJs'] === true ? 'js' : 'ts';
    const include = [join(FIXTURES, `loose/*.${extension}`)];
    const diagnostics = diagnosticsOf(run(tsc, ['-p', declarations.project(folder, { include, flags, noUnusedLocals: false })]));
    const wrong = wrongLines('loose').filter((line) => line.includes(`.${extension}:`));
    expect(lines(diagnostics)).toEqual(wrong.sort());
    for (const { text } of diagnostics) expect(text).not.toContain('no status is known');
  });

  test('what init writes compiles next to the classes of cdk8s-plus', () => {
    const include = [join(FIXTURES, 'plus')];
    const flags = flagsOfScaffold();
    expect(flags).toMatchObject({ strict: true, noUncheckedIndexedAccess: true });
    expect(run(tsc, ['-p', declarations.project(join(scratch, `plus-${name}`), { include, flags })])).toBe('');
  });

  test('two releases of zod in one program are told apart, within a minute', () => {
    const mixed = declarations.project(join(scratch, 'two-zods'), { include: [join(FIXTURES, 'two-zods')] });
    const diagnostics = diagnosticsOf(run(tsc, ['-p', mixed], 60_000));
    expect(lines(diagnostics)).toEqual(wrongLines('two-zods'));
    expect(diagnostics[0]?.text).toContain("'_zod.version.minor' are incompatible");
  });
});

/** The flags of a project of `keelson init`; what it leaves out is off. */
function flagsOfScaffold(): Readonly<Record<string, boolean>> {
  const project: ProjectSettings = { name: 'cache', format: 'esm', runner: 'vitest', keelson: packagesAt('0.1.0') };
  const text = surroundings(project).find(({ path }) => path === 'tsconfig.json')?.text ?? '';
  const { compilerOptions } = JSON.parse(text) as { readonly compilerOptions: Readonly<Record<string, unknown>> };
  const flags = ['strict', 'noUncheckedIndexedAccess', 'exactOptionalPropertyTypes'];
  return Object.fromEntries(flags.map((flag) => [flag, compilerOptions[flag] === true]));
}

/** A definition with its controller may cost this much: 3,540 are measured, 1,000 of them zod's own. Without `NoInfer` around its sources it costs 4,400. */
const BUDGET = 4000;
/** Each of the compiler's threads makes some types for itself, at the cost of the first files: 4,220 are measured for each of twenty. */
const FIRST_BUDGET = 4500;

test('a definition with its controller keeps to its budget of instantiations, however many there are', () => {
  const [one = 0, twenty = 0, hundred = 0] = [1, 20, 100].map((count) => instantiations('typescript-7', count));
  expect((twenty - one) / 19).toBeLessThanOrEqual(FIRST_BUDGET);
  expect((hundred - twenty) / 80).toBeLessThanOrEqual(BUDGET);
});

test('a definition with its controller keeps to its budget on the older compiler too', () => {
  const [one = 0, eleven = 0] = [1, 11].map((count) => instantiations('typescript-5.9', count));
  expect((eleven - one) / 10).toBeLessThanOrEqual(BUDGET);
});

function instantiations(name: string, count: number): number {
  const tsc = COMPILERS.find((compiler) => compiler.name === name)?.tsc ?? '';
  const files = Object.fromEntries(Array.from({ length: count }, (_, index) => [`definition-${index}.ts`, generated(index)]));
  const output = run(tsc, ['-p', project(`budget-${count}`, files), '--extendedDiagnostics']);
  expect(output).not.toContain('error TS');
  return Number(/Instantiations:\s+(\d+)/.exec(output)?.[1]);
}

/** A definition of usual size: 13 fields, nesting, a union, rules; a controller with three children, a watch, a read, an external, a source and work in the background. */
function generated(index: number): string {
  return `
import { defineController, defineCustomResource, external, k, watch } from 'keelson';
import { ConfigMap, Deployment, Pod, Secret, Service } from 'keelson/kinds';
import { z } from 'zod';
interface Cloud { members(name: string, signal: AbortSignal): Promise<{ id: string; isReady: boolean }[]>; save(key: string): Promise<number> }
export const Thing = defineCustomResource({
  group: 'example.com', kind: 'Thing${index}',
  versions: { v1: {
    spec: z.object({
      size: k.int32().min(1).default(3), image: z.string().default('a'), port: k.port().optional(),
      limits: k.listMap(z.object({ name: z.string(), value: k.quantity() }), 'name').optional(),
      cache: z.object({ mb: k.int32().default(64), policy: z.enum(['a', 'b']).optional() }).prefault({}),
      store: z.discriminatedUnion('type', [z.object({ type: z.literal('pvc'), size: z.string() }), z.object({ type: z.literal('tmp') })]),
      labels: z.record(z.string(), z.string()).optional(), field${index}: z.boolean().nullable().default(null),
    }).check(k.rule('self.size < 5')),
    status: z.object({ nodes: k.set(z.string()).optional(), phase: z.enum(['Ready', 'Pending']).optional(), conditions: k.conditions() }),
  } },
});
export const controller = defineController({
  name: 'thing', for: Thing,
  owns: { deployments: Deployment, services: Service, configs: ConfigMap },
  watches: { pods: watch(Pod, { verbs: ['delete'], enqueue: (pod) => [{ name: pod.metadata.name }] }) },
  reads: { secrets: Secret },
  uses: { cloud: external<Cloud>() },
  observes: ({ poll }) => ({
    members: poll({
      every: 10_000,
      async read({ object, cloud, signal }) {
        const all = await cloud.members(object.metadata.name, signal);
        return all.filter(({ isReady }) => isReady).map(({ id }) => id);
      },
    }),
  }),
  background: {
    backup: async ({ object, cloud, key }) => ({ bytes: await cloud.save(object.spec.image + key) }),
  },
  async reconcile({ object, deployments, pods, secrets, members, backup, done }) {
    const secret = await secrets.get('a');
    const state = backup.start('daily');
    if (state.phase !== 'done' || state.result.bytes === members.value?.length) return done({ requeueAfter: '10s' });
    return done({
      owned: {
        deployments: [Deployment({ metadata: { name: 'a' }, spec: { replicas: object.spec.size, selector: {}, template: { spec: { containers: [] } } } })],
        configs: [ConfigMap({ metadata: { name: 'a' }, data: { a: secret?.data?.['a'] ?? '' } })],
        services: [Service({ metadata: { name: 'a' }, spec: { ports: [{ port: 1 }] } })],
      },
      status: { nodes: pods.list().map((pod) => pod.metadata.name), phase: deployments.get('a') === undefined ? 'Pending' : 'Ready' },
      conditions: [{ type: 'Ready', status: true, reason: 'A' }],
    });
  },
});
`;
}

test('"go to definition" of a field lands on the property in the zod schema', () => {
  const file = join(FIXTURES, 'good/whole-program.ts');
  const source = readFileSync(file, 'utf8');
  const service = languageService(file);
  const use = source.indexOf('object.spec.size,') + 'object.spec.'.length;
  const [definition] = service.getDefinitionAtPosition(file, use) ?? [];
  expect(definition?.fileName).toBe(file);
  expect(definition?.textSpan.start).toBe(source.indexOf('size: k.int32()'));
});

function languageService(file: string): ts.LanguageService {
  const config = ts.getParsedCommandLineOfConfigFile(
    declarations.project(join(scratch, 'service'), { include: [file] }),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
        throw new Error(String(diagnostic.messageText));
      },
    },
  );
  const options = config?.options ?? {};
  return ts.createLanguageService({
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: (path) => path,
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '0',
    getScriptSnapshot: (name) => (ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(name) ?? '') : undefined),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getCurrentDirectory: () => scratch,
  });
}
