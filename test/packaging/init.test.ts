import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consumer, succeed, tarball } from './consumer.js';

/** A project of `keelson init`, installed by npm from the tarball where nothing of this tree can help it: what its README says must work. */
const place = mkdtempSync(join(tmpdir(), 'keelson-init-'));
const project = join(place, 'project');
afterAll(() => rmSync(place, { recursive: true }));

const npm = (...args: string[]): string => succeed('npm', args, { NO_COLOR: '1' }, project);

/** What npm has installed before stays: it makes of it what the new package.json asks for, no more and no less. */
function install(...options: string[]): void {
  const made = join(place, 'my-operator');
  const given = ['--group', 'cache.example.com', '--kind', 'Memcached', '--keelson', `file:${tarball}`];
  succeed(join(consumer, 'node_modules/.bin/keelson'), ['init', 'my-operator', ...given, ...options], {}, place);
  mkdirSync(project, { recursive: true });
  for (const entry of readdirSync(project)) if (entry !== 'node_modules') rmSync(join(project, entry), { recursive: true });
  cpSync(made, project, { recursive: true });
  rmSync(made, { recursive: true });
  npm('install', '--silent', '--prefer-offline', '--no-fund', '--no-audit', '--ignore-scripts');
}

test.each([
  { runner: 'vitest', options: [], passed: /Tests +5 passed/ },
  { runner: 'jest', options: ['--jest', '--webhooks', '--conversion'], passed: /Tests: +8 passed/ },
])(
  'with $runner: passes its own tests, compiles, synthesizes and builds',
  ({ options, passed }) => {
    install(...options);
    expect(npm('test', '--silent')).toMatch(passed);
    npm('run', '--silent', 'typecheck');
    npm('run', '--silent', 'synth');
    const manifests = readFileSync(join(project, 'dist/my-operator.k8s.yaml'), 'utf8');
    expect(manifests).toContain('\nkind: CustomResourceDefinition\n');
    expect(readFileSync(join(project, 'dist/samples.k8s.yaml'), 'utf8')).toContain('\nkind: Memcached\n');
    npm('run', '--silent', 'build');
    expect(readdirSync(join(project, 'build'))).toContain('run.js');
  },
  240_000,
);

/** Follows the project that the last test left: everything that the command can add is added, and listed as it says. */
test('keelson create adds what passes its own tests, once it is listed', () => {
  const added = [
    ['kind', 'HTTPRoute', '--webhooks'],
    ['controller', 'backup', '--for', 'HTTPRoute'],
    ['kind', 'Gadget'],
    ['webhook', 'Gadget'],
  ].map((args) => succeed('npx', ['keelson', 'create', ...args], {}, project));
  const lines = added.flatMap((said) => said.split('Add to src/operator.ts:\n')[1]?.split('\n') ?? []);
  const entries = (list: string): string =>
    lines.flatMap((line) => new RegExp(`^  ${list}: \\[\\.\\.\\., (.*)\\],$`).exec(line)?.[1] ?? []).join(', ');
  const file = join(project, 'src/operator.ts');
  const operator = readFileSync(file, 'utf8')
    .replace(/controllers: \[(.*)\]/, `controllers: [$1, ${entries('controllers')}]`)
    .replace(/webhooks: \[(.*)\]/, `webhooks: [$1, ${entries('webhooks')}]`);
  writeFileSync(file, `${lines.filter((line) => line.startsWith('  import')).join('\n')}\n${operator}`);
  npm('run', '--silent', 'typecheck');
  expect(npm('test', '--silent')).toMatch(/Test Suites: 5 passed/);
}, 120_000);
