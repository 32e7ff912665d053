import { type ChildProcess, fork } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ApiServer, type ApiServerOptions } from '../../../src/api-server/server/index.js';
import { eventually } from '../../eventually.js';
import { keptPort } from '../../kept-port.js';

let folder: string;
const servers: ApiServer[] = [];
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-data-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: ApiServerOptions = {}): Promise<ApiServer> {
  const server = await ApiServer.start({ protocol: 'http', dataFolder: folder, ...options });
  servers.push(server);
  return server;
}

const C = '/api/v1/namespaces/default/configmaps';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Said {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  readonly body: any;
}

async function ask(server: Pick<ApiServer, 'url' | 'tokenFor'>, method: string, path: string, body?: object): Promise<Said> {
  const headers = { authorization: `Bearer ${server.tokenFor()}`, 'content-type': 'application/json' };
  const answer = await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: answer.status, body: await answer.json() };
}

const journal = (): string => join(folder, 'objects.jsonl');
const configMap = (name: string, data: object = {}): object => ({ metadata: { name }, data });

test('objects are as they were, and revisions go on', async () => {
  const first = await start();
  await ask(first, 'POST', C, configMap('kept', { a: 'ü' }));
  await ask(first, 'POST', C, configMap('gone'));
  await ask(first, 'DELETE', `${C}/gone`);
  await ask(first, 'PUT', `${C}/kept`, configMap('kept', { a: '2' }));
  const before = (await ask(first, 'GET', C)).body;
  const roles = (await ask(first, 'GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles')).body.items;
  await first.close();
  const second = await start();
  const after = (await ask(second, 'GET', C)).body;
  expect(after.items).toEqual(before.items);
  expect(Number(after.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(before.metadata.resourceVersion));
  expect((await ask(second, 'GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles')).body.items).toEqual(roles);
  const written = await ask(second, 'POST', C, configMap('new'));
  expect(Number(written.body.metadata.resourceVersion)).toBeGreaterThan(Number(after.metadata.resourceVersion));
  const old = await ask(second, 'GET', `${C}?watch=1&resourceVersion=2&timeoutSeconds=1`);
  expect(old.body).toMatchObject({ type: 'ERROR', object: { code: 410 } });
});

test('definitions and their objects are served again', async () => {
  const first = await start();
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const spec = {
    group: 'kept.example.com',
    scope: 'Cluster',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [{ name: 'v1', served: true, storage: true, schema }],
  };
  await ask(first, 'POST', DEFINITIONS, { metadata: { name: 'things.kept.example.com' }, spec });
  const things = '/apis/kept.example.com/v1/things';
  const thing = { apiVersion: 'kept.example.com/v1', kind: 'Thing', metadata: { name: 'x' } };
  expect((await ask(first, 'POST', things, thing)).status).toBe(201);
  await first.close();
  expect((await ask(await start(), 'GET', `${things}/x`)).status).toBe(200);
});

test('a kubeconfig and a token of a service account are good after a restart', async () => {
  const options = { protocol: 'https' as const, port: await keptPort() };
  const first = await start(options);
  const [kubeconfig, authority] = [first.kubeconfig(), first.certificateAuthority];
  const token = first.core.tokens.jwks();
  await first.close();
  const second = await start(options);
  expect(second.certificateAuthority).toBe(authority);
  expect(second.kubeconfig()).toBe(kubeconfig);
  expect(second.core.tokens.jwks()).toEqual(token);
  for (const name of ['ca.key', 'admin.key', 'sa.key', 'objects.jsonl']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

test('keys can be kept without the objects', async () => {
  const options: ApiServerOptions = { protocol: 'https', certificateFolder: join(folder, 'keys'), port: 0 };
  const first = await ApiServer.start(options);
  const { users } = parse(first.kubeconfig()) as { users: unknown };
  await first.close();
  const second = await ApiServer.start(options);
  servers.push(second);
  expect((parse(second.kubeconfig()) as { users: unknown }).users).toEqual(users);
});

test('a write that the end of the process has cut off is dropped, all before it are there', async () => {
  const first = await start();
  await ask(first, 'POST', C, configMap('whole'));
  await first.close();
  appendFileSync(journal(), '{"revision":99999,"resource":"configmaps","namesp');
  const second = await start();
  expect((await ask(second, 'GET', C)).body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toContain('whole');
  await ask(second, 'POST', C, configMap('later'));
  await second.close();
  expect((await ask(await start(), 'GET', `${C}/later`)).status).toBe(200);
});

test.each([
  [
    'a damaged line',
    (text: string) => text.replace('"revision"', 'revision'),
    'line 1: is damaged; restore the file, or start with an empty folder',
  ],
  ['another format', (text: string) => text.replace('"format":1', '"format":2'), 'is of another format than 1'],
])('%s is refused, and the folder can be had again', async (_, spoil, message) => {
  await (await start()).close();
  const text = readFileSync(journal(), 'utf8');
  writeFileSync(journal(), spoil(text));
  await expect(start()).rejects.toThrow(message);
  writeFileSync(journal(), text);
  await start();
});

test('an empty file is as none', async () => {
  await (await start()).close();
  truncateSync(journal(), 0);
  expect((await ask(await start(), 'GET', '/api/v1/namespaces/default')).status).toBe(200);
});

test('a folder is for one server', async () => {
  await start();
  await expect(start()).rejects.toThrow(`${folder}: is in use by process ${process.pid}; end that server first, or choose another folder`);
});

test('controllers and Pods go on where they were', async () => {
  const first = await start({ workloads: true });
  const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'main', image: 'x' }] } };
  const spec = { replicas: 2, selector: { matchLabels: { app: 'a' } }, template };
  await ask(first, 'POST', '/apis/apps/v1/namespaces/default/deployments', { metadata: { name: 'a' }, spec });
  const path = '/apis/apps/v1/namespaces/default/deployments/a';
  const ready = (server: ApiServer, count: number): Promise<true> =>
    eventually(async () => (await ask(server, 'GET', path)).body.status.readyReplicas === count, `${count} replicas are ready`);
  await ready(first, 2);
  await first.close();
  const second = await start({ workloads: true });
  await ask(second, 'PUT', `${path}/scale`, {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'a', namespace: 'default' },
    spec: { replicas: 3 },
  });
  await ready(second, 3);
});

/** The process writes as fast as it is answered, and names what was acknowledged; then it is killed. */
test('what was acknowledged survives kill -9', async () => {
  const script = join(folder, 'writer.cjs');
  writeFileSync(
    script,
    `process.on('message', async ({ url, token }) => {
      for (let n = 0; ; n += 1) {
        const answer = await fetch(url + '${C}', {
          method: 'POST',
          headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
          body: JSON.stringify({ metadata: { name: 'w-' + n }, data: { x: 'x'.repeat(2000) } }),
        });
        if (answer.status === 201) process.send(n);
        await answer.arrayBuffer();
      }
    });`,
  );
  const server = fork('test/api-server/server/fixtures/kept-server.ts', [join(folder, 'data')], { execArgv: ['--import', 'tsx'] });
  children.push(server);
  const hello = await new Promise<{ url: string; token: string }>((resolve, reject) => {
    server.once('message', (message) => resolve(message as { url: string; token: string }));
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const writer = fork(script);
  children.push(writer);
  let acknowledged = -1;
  await new Promise<void>((resolve) => {
    writer.on('message', (n) => {
      acknowledged = n as number;
      if (acknowledged >= 200) resolve();
    });
    writer.send(hello);
  });
  const dead = new Promise((resolve) => {
    server.once('exit', resolve);
  });
  server.kill('SIGKILL');
  await dead;
  writer.kill('SIGKILL');
  const again = await start({ dataFolder: join(folder, 'data') });
  const { items } = (await ask(again, 'GET', C)).body as { items: readonly { metadata: { name: string } }[] };
  const names = new Set(items.map(({ metadata }) => metadata.name));
  const missing = Array.from({ length: acknowledged + 1 }, (_, n) => `w-${n}`).filter((name) => !names.has(name));
  expect(missing).toEqual([]);
});
