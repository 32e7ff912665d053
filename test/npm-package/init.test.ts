import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { cacheRoot } from '../../scripts/cluster/binaries.js';
import { configOf } from '../../scripts/images/dockerfile.js';
import { eventually } from '../eventually.js';
import { consumer, run, succeed, tarballFolder, tarballs } from './consumer.js';
import { pnpmProgram } from './fetched-programs.js';

/** Projects of `keelson init`, installed from the tarball where nothing of this tree can help them: what their README says must work. */
const place = mkdtempSync(join(tmpdir(), 'keelson-init-'));
const project = join(place, 'project');
afterAll(() => rmSync(place, { recursive: true }));

const npm = (...args: string[]): string => succeed('npm', args, { NO_COLOR: '1' }, project);

/** Makes a project, but installs nothing. */
function write(folder: string, ...options: string[]): void {
  const made = join(place, 'my-operator');
  succeed(
    join(consumer, 'node_modules/.bin/keelson'),
    ['init', 'my-operator', '--keelson', `file:${tarballFolder}`, ...options],
    {},
    place,
  );
  mkdirSync(folder, { recursive: true });
  for (const entry of readdirSync(folder)) if (entry !== 'node_modules') rmSync(join(folder, entry), { recursive: true });
  cpSync(made, folder, { recursive: true });
  rmSync(made, { recursive: true });
}

/** What npm has installed before stays: it makes of it what the new package.json asks for, no more and no less. */
function make(...options: string[]): void {
  write(project, ...options);
  npm('install', '--silent', '--prefer-offline', '--no-fund', '--no-audit', '--ignore-scripts');
}

/** Each script of a project of Memcached does its work; `script` runs one. */
function expectWorking(folder: string, passed: RegExp, script: (name: string) => string): void {
  expect(script('test')).toMatch(passed);
  script('typecheck');
  script('synth');
  const manifests = readFileSync(join(folder, 'dist/my-operator.k8s.yaml'), 'utf8');
  expect(manifests).toContain('\nkind: CustomResourceDefinition\n');
  expect(readFileSync(join(folder, 'dist/samples.k8s.yaml'), 'utf8')).toContain('\nkind: Memcached\n');
  script('build');
  // As in the image: without node_modules.
  const image = join(place, 'image');
  cpSync(join(folder, 'build'), join(image, 'build'), { recursive: true });
  const { entrypoint } = configOf(readFileSync(join(folder, 'Dockerfile'), 'utf8'));
  const started = spawnSync(process.execPath, entrypoint.slice(1), { cwd: image, encoding: 'utf8', env: { HOME: image } });
  expect(started.stdout + started.stderr).toContain('no API server is configured');
  rmSync(image, { recursive: true });
}

/** Commands of a generated workflow, in the order of its steps. */
function workflowCommands(workflow: 'ci' | 'release'): readonly string[] {
  const { jobs } = parse(readFileSync(join(project, `.github/workflows/${workflow}.yaml`), 'utf8')) as {
    readonly jobs: Readonly<Record<string, { readonly steps?: readonly { readonly run?: string }[] }>>;
  };
  return Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run }) => (run === undefined ? [] : [run])));
}

test('init --from makes a project of CRDs that passes each step of its workflow', () => {
  const crds = join(process.cwd(), 'scripts/crds/prometheus-operator.yaml');
  make('--from', crds);
  const commands = workflowCommands('ci');
  expect(commands).toEqual(['npm ci', 'npm run typecheck', 'npm run build', 'npm test', 'npm run synth']);
  // The packages are there already; npm ci would fetch them once more.
  const results = commands.slice(1).map((command) => succeed('bash', ['-c', command], { NO_COLOR: '1' }, project));
  expect(results[2]).toMatch(/Tests +4 passed/);
  expect(readFileSync(join(project, 'dist/my-operator.k8s.yaml'), 'utf8')).toContain('name: servicemonitors.monitoring.coreos.com');
});

/** Follows the project that the last test left. */
test('the release of a project lists every package that the operator runs on, and no development tool', () => {
  const folder = join(place, 'listed');
  mkdirSync(folder);
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(project, file), join(folder, file));
  const command = workflowCommands('release').find((script) => script.includes('npm sbom')) ?? '';
  succeed('bash', ['-e', '-c', command], { NO_COLOR: '1', npm_config_prefer_offline: 'true' }, folder);
  const { bomFormat, components } = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')) as {
    readonly bomFormat: string;
    readonly components: readonly { readonly name: string }[];
  };
  const names = components.map(({ name }) => name);
  expect(bomFormat).toBe('CycloneDX');
  // yaml is a package of cdk8s-cli, too: npm sbom --omit dev would leave it out.
  expect(names).toEqual(expect.arrayContaining(['keelson', 'zod', 'pino', 'yaml']));
  for (const tool of ['cdk8s', 'vitest', 'typescript', 'rolldown']) expect(names).not.toContain(tool);
});

/** With pnpm, beside the file that docs/cli.md asks for. */
test('CommonJS, vitest and pnpm: passes its own tests, compiles, synthesizes and builds', () => {
  const folder = join(place, 'with-pnpm');
  write(folder, '--group', 'cache.example.com', '--kind', 'Memcached', '--commonjs');
  const [, workspace = ''] = /```yaml pnpm-workspace.yaml\n(.*?)```/s.exec(readFileSync('docs/cli.md', 'utf8')) ?? [];
  // pnpm asks the registry for what a tarball depends on, unless it is overridden.
  const overrides = Object.entries(tarballs).map(([name, tarball]) => `  '${name}': file:${tarball}\n`);
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), `${workspace}overrides:\n${overrides.join('')}`);
  const pnpm = (...args: string[]): string => succeed(pnpmProgram(), args, { NO_COLOR: '1', CI: 'true' }, folder);
  pnpm('install', '--prefer-offline', '--no-frozen-lockfile', '--store-dir', join(cacheRoot(), 'pnpm-store'));
  expectWorking(folder, /Tests +5 passed/, (name) => pnpm('run', name));
});

test.each([
  { name: 'ES modules, vitest', options: [], passed: /Tests +5 passed/ },
  { name: 'CommonJS, jest', options: ['--commonjs', '--jest'], passed: /Tests: +5 passed/ },
  { name: 'ES modules, jest', options: ['--jest', '--webhooks', '--conversion'], passed: /Tests: +8 passed/ },
])('$name and npm: passes its own tests, compiles, synthesizes and builds', ({ options, passed }) => {
  make('--group', 'cache.example.com', '--kind', 'Memcached', ...options);
  expectWorking(project, passed, (name) => npm('run', '--silent', name));
});

interface DevRun {
  readonly child: ChildProcess;
  readonly lines: () => string;
  readonly until: (pattern: RegExp) => Promise<string>;
}

/** `keelson dev` in the project; each wait is for something that it has written since the one before. */
function startDev(...args: readonly string[]): DevRun {
  const child = spawn(join(project, 'node_modules/.bin/keelson'), ['dev', ...args], { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
  let [lines, seen] = ['', 0];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      lines += text;
    });
  const until = async (pattern: RegExp): Promise<string> => {
    const find = async (): Promise<string | undefined> => pattern.exec(lines.slice(seen))?.[0];
    const found = await eventually(find, () => `${pattern} is written:\n${lines}`);
    seen = lines.indexOf(found, seen) + found.length;
    return found;
  };
  return { child, lines: () => lines, until };
}

/** Follows the project that the last test left. */
test('keelson dev runs the operator with its webhooks, again after each change, and keeps the objects', async () => {
  const { child, until } = startDev('-f', 'dist/samples.k8s.yaml');
  const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  const source = join(project, 'src/operator.ts');
  const text = readFileSync(source, 'utf8');
  try {
    const metrics = await until(/http:\S+metrics/);
    const kubeconfig = (await until(/KUBECONFIG=\S+/)).split('=')[1] ?? '';
    await until(/is ready after/);
    // All 127.x addresses are of this machine: one that nobody listens at shows that the ports are not open to all.
    await expect(fetch(metrics.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow();
    expect((await fetch(metrics)).status).toBe(200);
    await until(/Memcached default\/sample {2}Ready=True/);
    writeFileSync(source, `${text}\nexport const broken: = 1;\n`);
    await until(/has ended with code 1/);
    writeFileSync(source, text);
    await until(/is ready after/);
    expect(existsSync(kubeconfig)).toBe(true);
    child.kill('SIGINT');
    await until(/ended by SIGINT/);
    expect(await ended).toBe(0);
    expect(existsSync(kubeconfig)).toBe(false);
  } finally {
    child.kill('SIGKILL');
    writeFileSync(source, text);
  }
});

/** Follows the project that the last test left. */
test('keelson package writes each format from the module that its help shows, and a bundle from the one that its message shows', () => {
  const keelson = (...args: readonly string[]): string => succeed('npx', ['keelson', 'package', ...args], {}, project);
  const [, module = ''] = /for an operator of keelson init:\n(.*?\n\n.*?\n)\n/s.exec(keelson('--help')) ?? [];
  writeFileSync(join(project, 'src/package.ts'), module.replace(/^ {2}/gm, ''));
  for (const format of ['helm', 'kustomize', 'schemas', 'argocd']) expect(keelson(format)).toMatch(/: \d+ files\n$/);
  expect(readFileSync(join(project, 'charts/my-operator/Chart.yaml'), 'utf8')).toContain('\nname: my-operator\n');
  const { status, output } = run('npx', ['keelson', 'package', 'olm'], {}, project);
  expect([status, output]).toEqual([1, expect.stringContaining('exports no bundle; write export const bundle = olmBundle(')]);
  writeFileSync(
    join(project, 'src/bundle.ts'),
    `import { olmBundle } from 'keelson/packaging';
import { operatorPackage } from './package.js';

export const bundle = olmBundle(operatorPackage, {
  displayName: 'My operator',
  description: 'Runs caches.',
  provider: { name: 'Example Inc.' },
  minKubeVersion: '1.30.0',
  categories: ['Database'],
});
`,
  );
  expect(keelson('olm', 'src/bundle.ts')).toMatch(/olm\/my-operator: \d+ files\n/);
  npm('run', '--silent', 'typecheck');
  for (const made of ['charts', 'kustomize', 'schemas', 'argocd', 'olm', 'src/package.ts', 'src/bundle.ts'])
    rmSync(join(project, made), { recursive: true });
});

/** Follows the project that the last test left: everything that the command can add is added, and listed as it says. */
test('keelson create adds what passes its own tests, once it is listed, and runs beside kinds of others', async () => {
  const crds = join(process.cwd(), 'scripts/crds/cert-manager.yaml');
  succeed('npx', ['keelson', 'import', crds, '--out', 'src/imports'], {}, project);
  const added = [
    ['kind', 'HTTPRoute', '--webhooks'],
    ['controller', 'backup', '--for', 'HTTPRoute'],
    ['kind', 'Gadget'],
    ['webhook', 'Gadget'],
    ['controller', 'scaling', '--for', 'Deployment'],
    ['controller', 'renewal', '--for', 'Certificate'],
  ].map((args) => succeed('npx', ['keelson', 'create', ...args], {}, project));
  const lines = added.flatMap((said) => said.split('Add to src/operator.ts:\n')[1]?.split('\n') ?? []);
  const entries = (list: string): string =>
    lines.flatMap((line) => new RegExp(`^  ${list}: \\[\\.\\.\\., (.*)\\],$`).exec(line)?.[1] ?? []).join(', ');
  const file = join(project, 'src/operator.ts');
  const operator = readFileSync(file, 'utf8')
    .replace(/controllers: \[(.*)\]/, `controllers: [$1, ${entries('controllers')}]`)
    .replace(/webhooks: \[(.*)\]/, `webhooks: [$1, ${entries('webhooks')}]`);
  writeFileSync(file, `${lines.filter((line) => line.startsWith('  import')).join('\n')}\n${operator}`);
  for (const test of ['memcached', 'http-route', 'gadget'].map((name) => join(project, `src/${name}.test.ts`)))
    writeFileSync(test, readFileSync(test, 'utf8').replace('start({ operator, ', `start({ operator, manifests: ['${crds}'], `));
  npm('run', '--silent', 'typecheck');
  expect(npm('test', '--silent')).toMatch(/Test Suites: 7 passed/);
  const { child, until } = startDev('-f', crds);
  try {
    await until(/is ready after/);
  } finally {
    child.kill('SIGKILL');
  }
});
