import { type InProcessCluster, processes, TestCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator } from 'keelson';
import { ClusterRole, ClusterRoleBinding, Deployment, ServiceAccount } from 'keelson/kinds';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { DEADLINE_MS } from '../../deadline.cjs';
import { runIn } from '../commands.js';
import { TestFolder } from '../test-folder.js';

const spec = z.object({ title: z.string() });
const Page = defineCustomResource({ group: 'web.example.com', kind: 'Page', shortNames: ['pg'], versions: { v1: { spec } } });
const Site = defineCustomResource({ group: 'web.example.com', kind: 'Site', scope: 'Cluster', versions: { v1: { spec } } });
const operator = defineOperator({
  name: 'page-operator',
  controllers: [
    defineController({ name: 'pages', for: Page, reconcile: ({ done }) => done() }),
    defineController({ name: 'sites', for: Site, reconcile: ({ done }) => done() }),
  ],
});

/** Stands in for the operator in its Pod: hands connections on to the one that runs in the test. */
const RELAY = `
const [, address, port, target] = process.argv;
require('node:net').createServer((from) => {
  const to = require('node:net').connect(Number(target), '127.0.0.1');
  from.pipe(to).pipe(from);
  for (const socket of [from, to]) socket.on('error', () => { from.destroy(); to.destroy(); });
}).listen(Number(port), address);
`;
const SYSTEM = 'pages-system';
const PORT = 18_443;
const folder = new TestFolder('why');

describe('the journal of an operator in a cluster', () => {
  let cluster: InProcessCluster;
  /** Of the metrics of the operator that the relay stands for. */
  let port: number;
  beforeAll(async () => {
    const containers = processes({
      'relay:*': ({ address }) => ({ program: process.execPath, args: ['-e', RELAY, address, String(PORT), String(port)] }),
    });
    cluster = await TestCluster.start({
      operator,
      workloads: { containers },
      namespace: 'shop',
      namespaces: ['shop', SYSTEM],
      timeout: DEADLINE_MS,
    });
    const settings = { metrics: { port: 0, secure: true } };
    port = (await cluster.startOperator({ settings })).ports.metrics ?? 0;
    await cluster.create(Page({ metadata: { name: 'home' }, spec: { title: 'A' } }));
    await cluster.create(Site({ metadata: { name: 'shop' }, spec: { title: 'A' } }));
    await cluster.settled();
    await deploy('page-operator', { replicas: 2, ports: [{ name: 'metrics', containerPort: PORT }] });
    await mayRead('reader', '/journal/Page/shop/*');
    await mayRead('nobody', '/metrics');
  });
  afterAll(() => cluster?.close());

  async function deploy(
    name: string,
    { replicas, ports }: { readonly replicas: number; readonly ports: { name: string; containerPort: number }[] },
  ): Promise<void> {
    const metadata = { labels: { app: name } };
    const template = { metadata, spec: { containers: [{ name: 'operator', image: 'relay:1', ports }] } };
    const selector = { matchLabels: metadata.labels };
    await cluster.create(Deployment({ metadata: { name, namespace: SYSTEM }, spec: { replicas, selector, template } }));
    await cluster.until(Deployment, `${SYSTEM}/${name}`, ({ status }) => (status?.readyReplicas ?? 0) === replicas);
  }

  /** A ServiceAccount and its right. */
  async function mayRead(name: string, path: string): Promise<void> {
    await cluster.create(ServiceAccount({ metadata: { name, namespace: 'shop' } }));
    await cluster.create(ClusterRole({ metadata: { name }, rules: [{ nonResourceURLs: [path], verbs: ['get'] }] }));
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
    await cluster.create(
      ClusterRoleBinding({ metadata: { name }, roleRef, subjects: [{ kind: 'ServiceAccount', name, namespace: 'shop' }] }),
    );
  }

  /** With an administrator's token, as login plugins give one. */
  async function why(...args: readonly string[]) {
    const kubeconfig = parse(await cluster.kubeconfig()) as { readonly users: readonly object[] };
    const users = kubeconfig.users.map((user) => ({ ...user, user: { token: cluster.server.tokenFor() } }));
    folder.put('kubeconfig', stringify({ ...kubeconfig, users }));
    const operator = args.includes('--operator') ? [] : ['--operator', `${SYSTEM}/page-operator`];
    return runIn(folder.path, ['why', ...args, ...operator, '--kubeconfig', 'kubeconfig']);
  }

  test('is printed for people, of all Pods together', async () => {
    const { status, out, error } = await why('page/home', '-n', 'shop');
    expect([status, error]).toEqual([0, '']);
    expect(out).toMatch(/^\d{4}-\S+ pages: Page shop\/home at \d+ \(\S+\)\n {2}because of object; queued \d+ ms\n/);
  });

  test.each(['Page/home', 'pages/home', 'pg/home', 'pages.web.example.com/home'])('is found for %s', async (subject) => {
    expect(await why(subject, '-n', 'shop')).toMatchObject({ status: 0, error: '' });
  });

  test('of an object without a namespace is found in any', async () => {
    const { status, out } = await why('site/shop', '-n', 'elsewhere', '--output', 'json');
    expect(status).toBe(0);
    expect(JSON.parse(out)[0]).toMatchObject({ controller: 'sites', kind: 'Site', object: 'shop', outcome: { result: 'success' } });
  });

  test('is read with the right of a ServiceAccount, and of no more than it may read', async () => {
    expect(await why('page/home', '-n', 'shop', '--service-account', 'shop/reader')).toMatchObject({ status: 0 });
    const refused = await why('page/home', '-n', 'shop', '--service-account', 'shop/nobody');
    expect(refused).toMatchObject({ status: 1, out: '' });
    expect(refused.error).toMatch(
      /^Pod pages-system\/\S+: the right is missing: grant verbs \[get\], nonResourceURLs \[\/journal\/Page\/shop\/home\]/,
    );
  });

  test.each([
    [['page/none', '-n', 'shop'], 'Page shop/none: no run is in the journal'],
    [['page/home', '-n', 'shop', '--controller', 'other'], 'Page shop/home: no run is in the journal'],
    [['pags/home'], 'the server does not serve pags; did you mean page?'],
    [['page/home', '--service-account', 'shop/none'], 'serviceaccounts "none" not found'],
    [['page/home', '--context', 'none'], 'none'],
  ])('%j is told as missing', async (args, message) => {
    const { status, out, error } = await why(...args);
    expect([status, out]).toEqual([1, '']);
    expect(error).toContain(message);
    expect(error).not.toContain('    at ');
  });

  test('a user with a client certificate is told of --service-account', async () => {
    folder.put('kubeconfig', await cluster.kubeconfig());
    const args = ['why', 'page/home', '-n', 'shop', '--operator', `${SYSTEM}/page-operator`, '--kubeconfig', 'kubeconfig'];
    expect((await runIn(folder.path, args)).error).toMatch(/the user has no token .* give --service-account NAMESPACE\/NAME/);
    expect(await runIn(folder.path, [...args, '--service-account', 'shop/reader'])).toMatchObject({ status: 0, error: '' });
  });

  test('a Deployment that is not there, that has no metrics, or no Pods, is told', async () => {
    const of = (name: string) => why('page/home', '--operator', `${SYSTEM}/${name}`);
    await deploy('silent', { replicas: 0, ports: [] });
    await deploy('asleep', { replicas: 0, ports: [{ name: 'metrics', containerPort: PORT }] });
    expect(await of('none')).toMatchObject({ status: 1, error: `--operator ${SYSTEM}/none: the Deployment does not exist\n` });
    expect((await of('silent')).error).toMatch(/the Deployment has no container port metrics/);
    expect((await of('asleep')).error).toMatch(/none of its Pods is running/);
  });

  test('a port that nobody listens on is told', async () => {
    await deploy('deaf', { replicas: 1, ports: [{ name: 'metrics', containerPort: 1 }] });
    const { status, error } = await why('page/home', '-n', 'shop', '--operator', `${SYSTEM}/deaf`);
    expect(status).toBe(1);
    expect(error).toMatch(/^Pod pages-system\/deaf-\S+: the journal cannot be read: port 1 of Pod .*ECONNREFUSED/);
  });
});

test.each([
  [[], 'KIND/NAME is not given'],
  [['page'], 'keelson why page: is not KIND/NAME'],
  [['page/a/b'], 'keelson why page/a/b: is not KIND/NAME'],
  [['page/a', 'page/b'], 'one KIND/NAME is expected'],
  [['page/a'], '--operator is not given'],
  [['page/a', '--operator', 'x'], '--operator x: is not NAMESPACE/NAME'],
  [['page/a', '--operator', 'x/y', '-o', 'yaml'], '--output yaml: is neither text nor json'],
  [['page/a', '--operator', 'x/y', '--service-account', 'z'], '--service-account z: is not NAMESPACE/NAME'],
])('%j is a wrong command line', async (args, message) => {
  const { status, error } = await runIn(folder.path, ['why', ...args]);
  expect(status).toBe(2);
  expect(error).toContain(message);
});
