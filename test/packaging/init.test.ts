import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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
