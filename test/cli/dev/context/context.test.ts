import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergePatch } from '@keelson/runtime';
import { FakeClock, TestCluster } from '@keelson/testing';
import { ConfigMap, Namespace, ServiceAccount } from 'keelson/kinds/core/v1';
import { ClusterRole, ClusterRoleBinding } from 'keelson/kinds/rbac/v1';
import { operator as cronJobs } from '../../../../examples/cronjob/cronjob-operator.js';
import { operator as memcacheds } from '../../../../examples/memcached/memcached-operator.js';
import { ContextCluster, type ContextClusterOptions, webhookAddressOf } from '../../../../src/cli/dev/context/index.js';
import { leaderElsewhere } from '../../../../src/cli/dev/context/leader-elsewhere.js';
import { inStorageVersion, reachableParts } from '../../../../src/cli/dev/context/reachable.js';
import { WebhookGate } from '../../../../src/cli/dev/context/webhook-gate.js';
import type { Terminal } from '../../../../src/cli/index.js';
import type { KubernetesObject } from '../../../../src/kubernetes/apimachinery/index.js';
import { operatorInstallation } from '../../../../src/testing/cluster/operator-installation.js';
import { keptPort } from '../../../kept-port.js';
import { type Ran, runIn } from '../../commands.js';

let directory: string;
let kubeconfig: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-cli-context-'));
  kubeconfig = join(directory, 'kubeconfig');
});
afterEach(() => rm(directory, { recursive: true }));

/** In each test below it. */
function withCluster(): void {
  beforeEach(async () => {
    cluster = await start();
    writeFileSync(kubeconfig, await cluster.kubeconfig());
  });
  afterEach(() => cluster.close());
}

const start = () => TestCluster.start();
let cluster: Awaited<ReturnType<typeof start>>;

const contextCluster = (options: Partial<ContextClusterOptions> = {}): Promise<ContextCluster> =>
  ContextCluster.of({ context: 'keelson', kubeconfig, webhooks: undefined, forcesConflicts: false, ...options });

const memcached = operatorInstallation(memcacheds);
const cronJob = operatorInstallation(cronJobs);
const account = { name: memcached.serviceAccount, namespace: memcached.namespace };
const definitions = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
  subresources: [],
} as const;

interface DefinitionSpec {
  readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  readonly conversion: object;
}

const definitionSpec = async (name: string): Promise<DefinitionSpec> =>
  ((await cluster.get(definitions, name)) as unknown as { readonly spec: DefinitionSpec }).spec;

/** The text of an error. */
const refusal = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'was not refused',
    (error: unknown) => (error as Error).message,
  );

describe('the parts in a cluster that others use', () => {
  withCluster();

  test('are made with a mark, and deleted at the end; definitions, namespaces and objects stay', async () => {
    const dev = await contextCluster();
    const { leaseName, servesWebhooks, certificates } = await dev.install(memcached, 9443);
    expect([leaseName, servesWebhooks, certificates]).toEqual(['memcached-operator', false, undefined]);
    expect(await cluster.get(ServiceAccount, account)).toMatchObject({ metadata: { annotations: { 'keelson.dev/made-by': hostname() } } });
    expect(await dev.kubeconfig(`${account.namespace}/${account.name}`)).toContain('token:');
    await dev.close();
    for (const kind of [ClusterRole, ClusterRoleBinding])
      await expect(cluster.get(kind, memcached.name)).rejects.toMatchObject({ code: 'KEELSON_API_NOT_FOUND' });
    await expect(cluster.get(ServiceAccount, account)).rejects.toMatchObject({ code: 'KEELSON_API_NOT_FOUND' });
    expect(await cluster.get(Namespace, memcached.namespace)).toMatchObject({ status: { phase: 'Active' } });
    await definitionSpec('memcacheds.cache.example.com');
  });

  test('of others are refused where they differ, before anything is written, and each is named with its manager', async () => {
    await cluster.apply(ClusterRole, { metadata: { name: memcached.name }, rules: [] } as never, { fieldManager: 'helm' });
    const dev = await contextCluster();
    expect(await refusal(dev.install(memcached, 9443))).toMatch(
      /^these parts are there, were made by others and differ:\n {2}ClusterRole memcached-operator \(of helm\)\nNothing was changed\. .*--force-conflicts$/,
    );
    await expect(cluster.get(Namespace, memcached.namespace)).rejects.toMatchObject({ code: 'KEELSON_API_NOT_FOUND' });
    await dev.close();
    expect(await cluster.get(ClusterRole, memcached.name)).toMatchObject({ rules: null });
  });

  test('of others are changed when the user says so, and stay at the end; those that are as they should be are not touched', async () => {
    const parts = memcached.parts.filter(({ kind }) => kind === 'ClusterRole' || kind === 'ClusterRoleBinding');
    for (const part of parts)
      await cluster.apply(
        { ...part, ...(part.metadata.name === memcached.name && part.kind === 'ClusterRole' ? { rules: [] } : {}) } as never,
        { fieldManager: 'helm' },
      );
    const before = await cluster.get(ClusterRoleBinding, memcached.name);
    const dev = await contextCluster({ forcesConflicts: true });
    await dev.install(memcached, 9443);
    expect(((await cluster.get(ClusterRole, memcached.name)) as { readonly rules: readonly object[] }).rules.length).toBeGreaterThan(0);
    await dev.close();
    await cluster.get(ClusterRole, memcached.name);
    expect(await cluster.get(ClusterRoleBinding, memcached.name)).toEqual(before);
  });

  test('of a session that was killed are taken over and deleted by the next one of this machine; those of another machine are refused', async () => {
    await (await contextCluster()).install(memcached, 9443);
    const next = await contextCluster();
    await next.install(memcached, 9443);
    await next.close();
    await expect(cluster.get(ClusterRole, memcached.name)).rejects.toMatchObject({ code: 'KEELSON_API_NOT_FOUND' });
    const metadata = { name: memcached.name, annotations: { 'keelson.dev/made-by': 'laptop-b' } };
    await cluster.apply(ClusterRole, { metadata, rules: [] } as never, { fieldManager: 'keelson-dev' });
    const third = await contextCluster();
    expect(await refusal(third.install(memcached, 9443))).toContain('ClusterRole memcached-operator (of keelson dev on laptop-b)');
    await third.close();
  });

  test('that the operator names no more are deleted at once', async () => {
    const dev = await contextCluster();
    await dev.install(memcached, 9443);
    await dev.install({ ...memcached, parts: memcached.parts.filter(({ kind }) => !kind.startsWith('ClusterRole')) }, 9443);
    await expect(cluster.get(ClusterRole, memcached.name)).rejects.toMatchObject({ code: 'KEELSON_API_NOT_FOUND' });
    await cluster.get(ServiceAccount, account);
    await dev.close();
  });

  test('whose place another object has taken are not deleted', async () => {
    const dev = await contextCluster();
    await dev.install(memcached, 9443);
    await cluster.delete(ClusterRole, memcached.name);
    await cluster.apply(ClusterRole, { metadata: { name: memcached.name }, rules: [] } as never, { fieldManager: 'helm' });
    await dev.close();
    await cluster.get(ClusterRole, memcached.name);
  });

  test('that cannot be deleted are named at the end', async () => {
    const all = { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'create', 'patch', 'bind', 'escalate'] };
    await cluster.apply(ClusterRole, { metadata: { name: 'maker' }, rules: [all] });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'maker' };
    const subjects = [{ kind: 'User', name: 'ada', apiGroup: 'rbac.authorization.k8s.io' }];
    await cluster.apply(ClusterRoleBinding, { metadata: { name: 'maker' }, roleRef, subjects });
    writeFileSync(kubeconfig, await cluster.kubeconfig({ user: 'ada' }));
    const dev = await contextCluster();
    await dev.install({ ...memcached, parts: memcached.parts.slice(0, 1) }, 9443);
    expect(await refusal(dev.close())).toMatch(
      /^these parts could not be deleted, and are left in the cluster:\n {2}ServiceAccount memcached-operator-system\/memcached-operator: .*403/,
    );
  });

  test('manifests are applied without force, in the namespace of the context', async () => {
    const dev = await contextCluster();
    const manifest = (data: object) => ({
      place: 'a.yaml',
      object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data } as unknown as KubernetesObject,
    });
    expect(await dev.applyManifests([manifest({ a: '1' })])).toEqual([]);
    await cluster.apply(
      ConfigMap,
      { metadata: { name: 'a', namespace: 'default' }, data: { a: '2' } },
      { fieldManager: 'other', force: true },
    );
    expect(await dev.applyManifests([manifest({ a: '3' })])).toMatchObject([{ why: expect.stringContaining('conflict with "other"') }]);
    await dev.close();
    expect(await cluster.get(ConfigMap, { name: 'a', namespace: 'default' })).toMatchObject({ data: { a: '2' } });
  });

  test('a process that leads already is named, with what to do', async () => {
    const lease = (renewTime: string): object => ({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'op', namespace: 'default' },
      spec: { holderIdentity: 'op-7d9', leaseDurationSeconds: 15, renewTime },
    });
    const place = { namespace: 'default', name: 'op', own: 'op-dev' };
    expect(await leaderElsewhere(cluster.client, place)).toEqual([]);
    await cluster.apply(lease(new Date().toISOString().replace('Z', '000Z')) as never);
    expect(await leaderElsewhere(cluster.client, place)).toEqual([
      'another process runs this operator: op-7d9 holds the Lease default/op, and the one here waits until it lets go; scale the other down',
    ]);
    expect(await leaderElsewhere(cluster.client, { ...place, own: 'op-7' })).toEqual([]);
    await cluster.apply(lease(new FakeClock('2020-01-01T00:00:00Z').now().toISOString().replace('Z', '000Z')) as never);
    expect(await leaderElsewhere(cluster.client, place)).toEqual([]);
  });
});

describe('webhooks and conversions of an operator on this machine', () => {
  withCluster();

  test('without an address they are left out, a kind is served in its storage version, and lines say so', async () => {
    const dev = await contextCluster();
    const { notes } = await dev.install(cronJob, 9443);
    expect(notes).toEqual([
      'its webhooks are not installed: defaulting.cronjobs.batch.example.com, validating.cronjobs.batch.example.com. The cluster has no way to this machine',
      'CronJob is served as v2 alone',
      'if the API server can reach this machine, say where: --webhook-url https://HOST:PORT',
    ]);
    const { versions, conversion } = await definitionSpec('cronjobs.batch.example.com');
    expect(versions.map(({ name, served }) => [name, served])).toEqual(
      expect.arrayContaining([
        ['v1', false],
        ['v2', true],
      ]),
    );
    expect(conversion).toEqual({ strategy: 'None' });
    expect((await dev.install(cronJob, 9443)).notes).toEqual([]);
    await dev.close();
  });

  test('with an address each is called there by URL, the certificate is for its host, and no conversion is left behind', async () => {
    const address = { ...webhookAddressOf('https://127.0.0.1:9443'), port: 0 };
    const { parts, certificates } = reachableParts(cronJob, address);
    const urls = JSON.stringify(parts).match(/"url":"[^"]+"/g);
    expect(urls).toHaveLength(2);
    for (const url of urls ?? []) expect(url).toContain('"url":"https://127.0.0.1:9443/');
    expect(parts.filter(({ kind }) => kind === 'Service')).toEqual([]);
    expect(certificates).toMatchObject({ dnsNames: expect.arrayContaining(['127.0.0.1']) });
    const dev = await contextCluster({ webhooks: address });
    expect(await dev.install(cronJob, 9)).toMatchObject({
      servesWebhooks: true,
      notes: ['its webhooks are called at https://127.0.0.1:9443'],
    });
    expect((await definitionSpec('cronjobs.batch.example.com')).conversion).toMatchObject({
      strategy: 'Webhook',
      webhook: { clientConfig: { url: 'https://127.0.0.1:9443/convert' } },
    });
    // As the operator's process does.
    const authority = {
      spec: {
        conversion: { webhook: { clientConfig: { caBundle: Buffer.from(cluster.server.certificateAuthority ?? '').toString('base64') } } },
      },
    };
    await cluster.patch(definitions, 'cronjobs.batch.example.com', mergePatch(authority), { fieldManager: 'cronjob-operator' });
    await dev.close();
    expect((await definitionSpec('cronjobs.batch.example.com')).conversion).toEqual({ strategy: 'None' });
  });

  test('objects that are stored in a version which nothing converts are not served as another', async () => {
    const [definition] = cronJob.definitions.map(inStorageVersion);
    const { spec } = definition as unknown as { readonly spec: { readonly versions: readonly { readonly name: string }[] } };
    const versions = spec.versions.map((version) => ({ ...version, served: version.name === 'v1', storage: version.name === 'v1' }));
    await cluster.apply({ ...definition, spec: { ...spec, versions } } as never, { fieldManager: 'helm' });
    const dev = await contextCluster({ forcesConflicts: true });
    expect(await refusal(dev.install(cronJob, 9443))).toBe(
      'cronjobs.batch.example.com: objects may be stored as v1, and nothing converts them; say where the API server reaches this machine: --webhook-url https://HOST:PORT',
    );
    await dev.close();
  });
});

describe('the address of the webhooks', () => {
  test.each([
    ['http://127.0.0.1:9443', 'has the scheme http; the API server calls webhooks by https alone'],
    ['https://127.0.0.1', 'port 443 is one that only root may open; give another, for example https://127.0.0.1:9443'],
    ['https://127.0.0.1:9443/path', 'has a path; give the host and the port alone'],
    ['laptop', 'is not a URL; write it as https://operator.example.com:9443'],
  ])('the address %s is refused', (url, why) => {
    expect(() => webhookAddressOf(url)).toThrow(`keelson dev: --webhook-url ${url}: ${why}`);
  });

  test.each([
    ['https://localhost:9443', '127.0.0.1'],
    ['https://127.0.0.3:9443', '127.0.0.3'],
    ['https://192.0.2.1:9443', undefined],
    ['https://laptop.example.com:9443', undefined],
  ])('at %s this machine listens at %s', (url, listenAddress) => {
    expect(webhookAddressOf(url)).toMatchObject({ url, listenAddress });
  });

  test('a port that is taken is named', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { readonly port: number };
    const address = webhookAddressOf(`https://127.0.0.1:${port}`);
    expect(await refusal(WebhookGate.open(address, 9))).toContain(
      `--webhook-url https://127.0.0.1:${port}: this machine cannot listen there: `,
    );
    await new Promise((resolve) => server.close(resolve));
  });

  test('an operator that answers nobody does not let connections pile up', async () => {
    const held: Socket[] = [];
    const server = createServer((socket) => void held.push(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const outer = await keptPort();
    const gate = await WebhookGate.open(
      webhookAddressOf(`https://127.0.0.1:${outer}`),
      (server.address() as { readonly port: number }).port,
      2,
    );
    const opened = Array.from({ length: 3 }, () => connect({ host: '127.0.0.1', port: outer }));
    const closed = await Promise.race(
      opened.map((socket, index) => new Promise<number>((resolve) => socket.once('close', () => resolve(index)))),
    );
    expect(opened.filter(({ destroyed }) => !destroyed)).toHaveLength(2);
    expect(opened[closed]?.destroyed).toBe(true);
    await gate.close();
    for (const socket of [...opened, ...held]) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('the command line', () => {
  const dev = (args: readonly string[], terminal: Partial<Terminal> = {}): Promise<Ran> => {
    writeFileSync(join(directory, 'operator.js'), '');
    return runIn(directory, ['dev', 'operator.js', ...args], terminal);
  };

  test.each([
    [['--context', ''], 'keelson dev: --context: give the name of a context, as kubectl config get-contexts lists them'],
    [
      ['--context', 'a', '--port', '1'],
      'keelson dev: --port is for the API server that keelson dev starts; the cluster of --context a is there',
    ],
    [['--yes'], 'keelson dev: --yes is for a cluster that is there; name its context with --context'],
    [['--webhook-url', 'https://a:9443'], 'keelson dev: --webhook-url is for a cluster that is there; name its context with --context'],
  ])('%j is refused', async (args, message) => {
    expect(await dev(args)).toEqual({ status: 2, out: '', error: `${message}\nSee keelson dev --help.\n` });
  });

  const unreachable = (): void =>
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:1' } }],
        users: [{ name: 'a', user: { token: 'a' } }],
        contexts: [{ name: 'kind-dev', context: { cluster: 'a', user: 'a' } }],
      }),
    );

  test('a context that there is not is refused with those that there are', async () => {
    unreachable();
    const { status, error } = await dev(['--context', 'prod', '--kubeconfig', kubeconfig, '--yes']);
    expect([status, error]).toEqual([1, `kubeconfig ${kubeconfig}: there is no context "prod"; there are: kind-dev\n`]);
  });

  test('the address of the server comes first; without a terminal --yes is needed, and nothing is asked of the server', async () => {
    unreachable();
    const { status, out, error } = await dev(['--context', 'kind-dev', '--kubeconfig', 'kubeconfig']);
    expect(out.split('\n')[0]).toBe(`The cluster is at https://127.0.0.1:1 (kubeconfig ${kubeconfig}, context kind-dev)`);
    expect([status, error.split('\n')[0]]).toEqual([
      2,
      'keelson dev: --context kind-dev: there is no terminal to ask at; add --yes to install the operator there',
    ]);
  });

  test.each(['n', '\r', 'x'])('on a terminal any answer but y ends it before the server is asked: %j', async (key) => {
    unreachable();
    const released: string[] = [];
    const screen = {
      columns: () => 80,
      rows: () => 24,
      onKey: (listener: (key: string) => void) => {
        setImmediate(() => listener(key));
        return () => void released.push('released');
      },
    };
    const { status, out, error } = await dev(['--context', 'kind-dev', '--kubeconfig', 'kubeconfig'], { screen });
    expect([status, error]).toEqual([130, 'keelson dev: nothing was installed\n']);
    expect(out).toContain('Install the operator there, and run it? [y/N] ');
    expect(released).toEqual(['released']);
  });
});
