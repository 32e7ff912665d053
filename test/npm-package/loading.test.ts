import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { doorsOf } from '../../scripts/build/entry-points.js';
import { workspacePackages } from '../../scripts/build/packages.js';
import { NODE_LINES, type NodeLine, nodeObstacle, nodeProgram } from '../../scripts/fetched/index.js';
import { consumer, run, succeed, write } from './consumer.js';

type Names = Readonly<Record<string, readonly string[]>>;

const specifiers = workspacePackages()
  .flatMap(doorsOf)
  .map(({ specifier }) => specifier);

write(
  'names.cjs',
  `const specifiers = ${JSON.stringify(specifiers)};\nconsole.log(JSON.stringify(Object.fromEntries(specifiers.map((s) => [s, Object.keys(require(s)).sort()]))));\n`,
);
write(
  'names.mjs',
  `const specifiers = ${JSON.stringify(specifiers)};\nconst entries = await Promise.all(specifiers.map(async (s) => [s, Object.keys(await import(s)).sort()]));\nconsole.log(JSON.stringify(Object.fromEntries(entries)));\n`,
);

/** What each entry point exports, by the sources: a bundler may neither lose a name nor add one. */
function expectedNames(): Names {
  return Object.fromEntries(specifiers.map((specifier) => [specifier, Object.keys(jest.requireActual<object>(specifier)).sort()]));
}

function loadedNames(node: string, ...args: string[]): Names {
  return JSON.parse(succeed(node, args)) as Names;
}

const lines = Object.keys(NODE_LINES).map(Number) as NodeLine[];

describe.each(lines)('Node %i', (line) => {
  const missing = nodeObstacle(line);
  const testThere = missing === undefined ? test : test.skip;
  const reason = missing === undefined ? '' : ` [skipped: ${missing}]`;

  testThere(`every entry point loads by import${reason}`, () => {
    expect(loadedNames(nodeProgram(line), 'names.mjs')).toEqual(expectedNames());
  });

  testThere(`every entry point loads by require${reason}`, () => {
    expect(loadedNames(nodeProgram(line), 'names.cjs')).toEqual(expectedNames());
  });

  testThere(`require does not lean on require(esm)${reason}`, () => {
    expect(loadedNames(nodeProgram(line), '--no-experimental-require-module', 'names.cjs')).toEqual(expectedNames());
  });
});

interface Loaded {
  readonly packages: readonly string[];
  readonly files: readonly string[];
}

/** What Node really read for one entry point: the packages, and keelson's own files. */
function load(specifier: string): Loaded {
  const script = `require(${JSON.stringify(specifier)}); console.log(JSON.stringify(Object.keys(require.cache)))`;
  const modules = join(consumer, 'node_modules/');
  const paths = (JSON.parse(succeed(process.execPath, ['-e', script])) as string[])
    .filter((path) => path.includes('/node_modules/'))
    .map((path) => path.slice(path.indexOf(modules) + modules.length));
  return {
    packages: [...new Set(paths.map(packageOf))].filter((name) => !isOurs(name)).sort(),
    files: paths.filter((path) => isOurs(packageOf(path))),
  };
}

const packageOf = (path: string): string => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;
const isOurs = (name: string): boolean => name === 'keelson' || name.startsWith('@keelson/');

const kilobytes = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + brotliCompressSync(readFileSync(join(consumer, 'node_modules', file))).length, 0) / 1000;

describe.each([
  // Our own code, in kB after brotli, shared chunks included. Raise a budget knowingly: it is what every import pays for.
  // 123 before definitions estimated the cost of their rules, and declared ownership and the world outside; 149 before settings were listed
  // as data and as a table, and reads could be granted in named namespaces; 153 before conversions were checked by a round trip, and
  // several controllers of a kind shared its status; 162 before it compared quantities for its users; 170 before definitions of existing resources
  // took keywords word for word, and a program that only defines an operator said so; 172 before CEL knew the functions of three more minors of
  // Kubernetes, and for each which one brought it; 175 before the ground was a package of its own, whose doors are loaded whole.
  { specifier: 'keelson', packages: ['re2js', 'zod'], budget: 191 },
  { specifier: 'keelson/kinds', packages: [], budget: 22 },
  { specifier: 'keelson/kinds/apps/v1', packages: [], budget: 5 },
])('$specifier', ({ specifier, packages, budget }) => {
  const loaded = load(specifier);

  test('loads no package that it does not need: above all not cdk8s', () => {
    expect(packages).toEqual(expect.arrayContaining([...loaded.packages]));
  });

  test(`is not larger than ${budget} kB`, () => {
    expect(kilobytes(loaded.files)).toBeLessThan(budget);
  });
});

test('keelson/constructs brings cdk8s and constructs, and beyond the definitions less than 30 kB', () => {
  const loaded = load('keelson/constructs');
  const definitions = new Set(load('keelson').files);
  expect(loaded.packages).toEqual(expect.arrayContaining(['cdk8s', 'constructs']));
  expect(kilobytes(loaded.files.filter((file) => !definitions.has(file)))).toBeLessThan(30);
});

test('keelson/packaging brings cdk8s, zod and yaml, and beyond the constructs less than 51 kB', () => {
  const loaded = load('keelson/packaging');
  const constructs = new Set(load('keelson/constructs').files);
  expect(['cdk8s', 'constructs', 're2js', 'yaml', 'zod']).toEqual(
    expect.arrayContaining(loaded.packages.filter((name) => /^(cdk8s|constructs|yaml|zod|pino|prom-client|re2js)$/.test(name))),
  );
  expect(kilobytes(loaded.files.filter((file) => !constructs.has(file)))).toBeLessThan(51);
});

test('@keelson/api-server brings neither zod nor the runtime: it is a Kubernetes, not a keelson', () => {
  const loaded = load('@keelson/api-server');
  expect(['re2js', 'yaml']).toEqual(expect.arrayContaining([...loaded.packages]));
  expect(new Set(loaded.files.map(packageOf))).toEqual(new Set(['@keelson/api-server', '@keelson/kubernetes']));
});

test('@keelson/runtime brings what definitions need: log and metrics are loaded once it runs, and nothing of the synthesis ever', () => {
  expect(['re2js', 'zod']).toEqual(expect.arrayContaining([...load('@keelson/runtime').packages]));
});

test('@keelson/testing brings nothing of the synthesis', () => {
  expect(['re2js', 'yaml', 'zod']).toEqual(expect.arrayContaining([...load('@keelson/testing').packages]));
});

/** A file that ends a process which asks for a package of the synthesis, of definitions or of the runtime. */
const guard = `import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`
  export async function resolve(specifier, context, next) {
    if (/^(cdk8s|constructs|zod|pino|prom-client|keelson|@keelson[/](runtime|testing))($|[/])/.test(specifier)) throw new Error(specifier + ' was loaded');
    return next(specifier, context);
  }\`));
`;

test('keelson apiserver serves, loads neither synthesis nor definitions nor the runtime, and ends when it is told to', async () => {
  const command = join(consumer, 'node_modules/@keelson/cli/lib/esm/main.js');
  const server = spawn(process.execPath, ['--import', write('guard.mjs', guard), command, 'apiserver'], { cwd: consumer });
  let error = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    error += text;
  });
  const ended = new Promise<number | null>((resolve) => server.once('close', resolve));
  const printed = await Promise.race([once(server.stdout.setEncoding('utf8'), 'data').then(String), ended.then(String)]);
  server.kill('SIGTERM');
  expect([await ended, error]).toEqual([0, '']);
  expect(printed).toMatch(/^The API server listens at https:/);
});

const command = join(consumer, 'node_modules/.bin/keelson');

test('the command starts', () => {
  expect(succeed(process.execPath, [command, '--help'])).toMatch(/^ +import /m);
});

/** Writes the address of each module that a process loads into the file that LOADED names. */
const watcher = `import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`
  import { appendFileSync } from 'node:fs';
  export async function load(url, context, next) {
    if (url.startsWith('file:')) appendFileSync(process.env.LOADED, url + '\\\\n');
    return next(url, context);
  }\`));
`;

/** The modules that a command line loads, below node_modules. */
function loadedBy(...args: readonly string[]): readonly string[] {
  const list = join(consumer, 'loaded.txt');
  rmSync(list, { force: true });
  succeed(process.execPath, ['--import', write('watcher.mjs', watcher), command, ...args], { LOADED: list });
  const urls = readFileSync(list, 'utf8').trim().split('\n');
  return urls.map((url) => url.slice(url.indexOf('/node_modules/') + '/node_modules/'.length));
}

test.each([
  [['--help']],
  [['--version']],
  [['help', 'init']],
  ...['apiserver', 'completion', 'create', 'dev', 'import', 'init', 'package'].map((name) => [[name, '--help']]),
])('keelson %j loads nothing but the command line itself: no package of others, and less than 34 kB', (args) => {
  const files = loadedBy(...args);
  expect(files).toContain('@keelson/cli/lib/esm/main.js');
  expect(files.filter((file) => !/^@keelson\/(cli|kubernetes)\/lib\/esm\//.test(file))).toEqual([]);
  // 24 of them are the door @keelson/kubernetes/apimachinery.
  expect(kilobytes(files)).toBeLessThan(34);
});

test('keelson import loads yaml alone, and neither zod nor a server', () => {
  const crd = join(process.cwd(), 'scripts/crds/cert-manager.yaml');
  const files = loadedBy('import', crd, '--out', 'imported');
  expect(new Set(files.map(packageOf))).toEqual(new Set(['@keelson/cli', '@keelson/kubernetes', 'yaml']));
  expect(kilobytes(files.filter((file) => isOurs(packageOf(file))))).toBeLessThan(42);
});

test('a reader that has seen enough ends the command without a word', () => {
  const script = `set -o pipefail; ${process.execPath} ${command} completion bash | head -c 1 | wc -c`;
  // Which of the two comes first is not certain: the pipe may have taken all of it before head has gone.
  const { status, output } = run('bash', ['-c', script]);
  expect([[0, 141].includes(Number(status)), output.trim()]).toEqual([true, '1']);
});

/** A file that ends a process which opens a connection or asks for an address: of TCP, of HTTP, by name. What listens locally is not touched. */
const unplugged = `import dns from 'node:dns';
import net from 'node:net';
import { syncBuiltinESMExports } from 'node:module';
const refuse = (what) => () => {
  process._rawDebug('the network was used: ' + what);
  process.exit(70);
};
net.Socket.prototype.connect = refuse('connect');
dns.lookup = refuse('lookup');
dns.promises.lookup = refuse('lookup');
syncBuiltinESMExports();
`;
const offline = (args: readonly string[], cwd: string = consumer): ReturnType<typeof run> =>
  run(process.execPath, ['--import', write('unplugged.mjs', unplugged), ...args], {}, cwd);

test('what takes the network away does so', () => {
  const scripts = ["await fetch('http://127.0.0.1:4999');\n", "import { get } from 'node:https';\nget('https://example.com');\n"];
  for (const script of scripts)
    expect(offline([write('online.mjs', script)])).toMatchObject({ status: 70, output: expect.stringContaining('the network was used') });
});

test('a project is made, added to, imported into and completed without the network', () => {
  rmSync(join(consumer, 'unplugged'), { recursive: true, force: true });
  const crd = join(process.cwd(), 'scripts/crds/cert-manager.yaml');
  const project = join(consumer, 'unplugged');
  const did = [
    offline([command, 'init', 'unplugged', '--group', 'cache.example.com', '--kind', 'Memcached', '--yes']),
    offline([command, 'create', 'kind', 'Gadget'], project),
    offline([command, 'create', 'controller', 'scaling', '--for', 'Deployment'], project),
    offline([command, 'import', crd, '--out', 'imported']),
    offline([command, 'completion', 'zsh']),
    offline([command, 'import', 'https://example.com/crds.yaml']),
  ];
  expect(did.map(({ status }) => status)).toEqual([0, 0, 0, 0, 0, 1]);
  expect(did.at(-1)?.output).toContain('addresses are not read');
});

/** Without what is fetched, a definition needs none of these. */
const HEAVY = ['cdk8s', 'constructs', 'pino', 'prom-client', 'chokidar'];

test.each([
  ['completion', ['completion', 'bash'], []],
  ['init', ['init', 'loaded-by-init', '--group', 'cache.example.com', '--kind', 'Memcached', '--yes'], ['zod']],
])('keelson %s loads no package of a server, of the synthesis or of an operator at work', (_name, args, packages) => {
  rmSync(join(consumer, 'loaded-by-init'), { recursive: true, force: true });
  const loaded = new Set(loadedBy(...args).map(packageOf));
  expect([...loaded]).toEqual(expect.arrayContaining(['@keelson/cli', ...packages]));
  for (const name of HEAVY) expect([...loaded]).not.toContain(name);
});
