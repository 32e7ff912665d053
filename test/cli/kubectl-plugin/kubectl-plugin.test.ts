import { spawnSync } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runIn } from '../commands.js';
import { TestFolder } from '../test-folder.js';

const folder = new TestFolder('kubectl-plugin');
const RESOURCE = ['--resource', 'memcacheds.cache.example.com'];

/** The plugin with a kubectl in the PATH that prints what it is called with. */
async function plugin(args: readonly string[], options: readonly string[] = RESOURCE) {
  const written = await runIn(folder.path, ['kubectl-plugin', 'memcached', ...options]);
  expect(written).toMatchObject({ status: 0, error: '' });
  folder.put('bin/kubectl', '#!/bin/sh\nprintf "kubectl"\nfor word in "$@"; do printf " <%s>" "$word"; done\necho\n');
  chmodSync(join(folder.path, 'bin/kubectl'), 0o755);
  const env = { ...process.env, PATH: `${join(folder.path, 'bin')}:${process.env['PATH'] ?? ''}` };
  const { status, stdout, stderr } = spawnSync(join(folder.path, 'kubectl-memcached'), args, { encoding: 'utf8', env });
  return { status, out: stdout, error: stderr };
}

test('the script can be run, and names what it is for', async () => {
  const { out } = await plugin(['--help']);
  expect(out).toMatch(/^Usage: kubectl memcached pause\|resume\|reconcile NAME/);
  expect(statSync(join(folder.path, 'kubectl-memcached')).mode & 0o777).toBe(0o755);
});

test('pause annotates the object and waits for its condition, with the options of kubectl', async () => {
  const { status, out } = await plugin(['pause', 'a b', '-n', 'shop']);
  expect([status, out]).toEqual([
    0,
    'kubectl <annotate> <memcacheds.cache.example.com> <a b> <cache.example.com/paused=true> <--overwrite> <-n> <shop>\n' +
      'kubectl <wait> <memcacheds.cache.example.com> <a b> <--for=condition=Paused> <--timeout=60s> <-n> <shop>\n',
  ]);
});

test('resume takes the annotation away, under the domain that the definition has', async () => {
  const { out } = await plugin(['resume', 'a'], [...RESOURCE, '--prefix', 'example.org']);
  expect(out).toBe('kubectl <annotate> <memcacheds.cache.example.com> <a> <example.org/paused->\n');
});

test('reconcile waits for the token that it has set', async () => {
  const { out } = await plugin(['reconcile', 'a']);
  const [, token] = /reconcile=([\d-]+)> /.exec(out) ?? [];
  expect(out).toContain(`<--for=jsonpath={.status.lastHandledReconcile}=${token}>`);
});

test('why asks the operator that the script was written for, and is unknown without one', async () => {
  const operator = ['--operator', 'memcached-system/memcached-operator'];
  folder.put('bin/npx', '#!/bin/sh\nprintf "npx"\nfor word in "$@"; do printf " <%s>" "$word"; done\necho\n');
  chmodSync(join(folder.path, 'bin/npx'), 0o755);
  expect((await plugin(['why', 'a', '-n', 'shop'], [...RESOURCE, ...operator])).out).toBe(
    'npx <--package> <@keelson/cli> <keelson> <why> <memcacheds.cache.example.com/a> <--operator> <memcached-system/memcached-operator> <-n> <shop>\n',
  );
});

test('the help names why where the script has it', async () => {
  const { out } = await plugin(['--help'], [...RESOURCE, '--operator', 'memcached-system/memcached-operator']);
  expect(out).toContain('pause|resume|reconcile|why NAME');
  expect(out).toContain('\n  why        prints the last runs');
});

test.each([
  [[], 'Usage: kubectl memcached'],
  [['why', 'a'], 'kubectl memcached: unknown command why; choose pause, resume or reconcile'],
  [['restart', 'a'], 'kubectl memcached: unknown command restart; choose pause, resume or reconcile'],
  [['pause'], 'kubectl memcached: pause: NAME is not given'],
  [['pause', '-n', 'shop'], 'kubectl memcached: pause: NAME comes before the options of kubectl, got -n'],
])('%j calls no kubectl', async (args, message) => {
  const { status, out, error } = await plugin(args);
  expect([status, out]).toEqual([2, '']);
  expect(error).toContain(message);
});

test.each([
  [[...RESOURCE], 'NAME is not given'],
  [['a', 'b', ...RESOURCE], 'one NAME is expected, got a b'],
  [["a';rm", ...RESOURCE], "kubectl-plugin a';rm: must be lower case letters"],
  [['a'], '--resource is not given'],
  [['a', '--resource', 'memcacheds'], '--resource memcacheds: is not PLURAL.GROUP'],
  [['a', '--resource', "a.b'"], "--resource a.b': is not PLURAL.GROUP"],
  [['a', ...RESOURCE, '--operator', "x'/y"], "--operator x'/y: is not NAMESPACE/NAME of a Deployment"],
  [['a', ...RESOURCE, '--prefix', "x'y"], "--prefix x'y: must be"],
])('%j writes nothing', async (args, message) => {
  const { status, error } = await runIn(folder.path, ['kubectl-plugin', ...args]);
  expect(status).toBe(2);
  expect(error).toContain(message);
});
