import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningCluster, TestCluster } from '@keelson/testing';
import { ConfigMap, CustomResourceDefinition, Deployment, Pod } from 'keelson/kinds';
import { goClient } from '../../scripts/cluster/go-client.js';
import type { ManagedFieldsEntry } from '../../src/kubernetes/apimachinery/index.js';
import { type ApiClient, createClient } from '../../src/runtime/client/index.js';
import { DEADLINE_MS } from '../deadline.cjs';
import { eventually } from '../eventually.js';
import { MemoryLog } from '../runtime/harness/running-controller.js';
import { Memcached, memcachedTwin } from '../runtime/takeover/memcached-twin.js';
import { describeCluster } from './harness/index.js';
import { startOnPool } from './harness/pool-test-cluster.js';

const scaffolded = goClient(join(__dirname, 'takeover'));
const describeGo = scaffolded.found
  ? describeCluster
  : (name: string) => describe.skip(`${name} [skipped: ${scaffolded.reason}]`, () => test('Go', () => undefined));

const operator = memcachedTwin(['client']);
/** Against hangs: the operator in Go is a process beside the cluster. */
const timeout = DEADLINE_MS;
const servers = {
  'the API server in the process': () => TestCluster.start({ operator, namespace: 'shop', workloads: true, timeout }),
  'kube-apiserver': () => startOnPool({ operator, namespace: 'shop', timeout }),
};
const NAMES = ['a', 'b', 'c'];

/** The operator in Go, as a process; its field manager is the name of its program, `client`. */
class Scaffolded {
  readonly #child: ChildProcess;
  #output = '';

  constructor(kubeconfig: string) {
    if (!scaffolded.found) throw new Error(scaffolded.reason);
    this.#child = spawn(scaffolded.path, ['-lease', `${operator.name}-system ${operator.name}`], {
      env: { PATH: process.env['PATH'], KUBECONFIG: kubeconfig },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
  }

  async leads(): Promise<void> {
    await eventually(
      async () => this.#output.includes('leading'),
      () => `it leads: ${this.#output}`,
    );
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGTERM');
    await once(this.#child, 'exit');
  }
}

const managersOf = ({ metadata }: { metadata: object }): string[] =>
  (metadata as { managedFields: ManagedFieldsEntry[] }).managedFields.map(({ manager = '', operation = '' }) => `${manager} ${operation}`);

function replacement(start: () => Promise<RunningCluster & { kubeconfig(): Promise<string> }>, runsPods: boolean): void {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-takeover-'));
  const log = new MemoryLog();
  let cluster: RunningCluster & { kubeconfig(): Promise<string> };
  let client: ApiClient;
  let former: Scaffolded | undefined;
  beforeAll(async () => {
    cluster = await start();
    client = createClient({ connection: cluster.connection });
    writeFileSync(join(folder, 'kubeconfig'), await cluster.kubeconfig(), { mode: 0o600 });
    former = new Scaffolded(join(folder, 'kubeconfig'));
    await former.leads();
    for (const name of NAMES) await cluster.create(Memcached({ metadata: { name }, spec: { size: 2 } }));
    for (const name of NAMES)
      await cluster.until(Memcached, name, ({ status }) => expect(status?.conditions?.map(({ type }) => type)).toContain('Degraded'));
  });
  afterAll(async () => {
    await former?.end();
    client?.close();
    await cluster?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const key = (name: string) => ({ name, namespace: 'shop' });
  const pods = async () => (await cluster.list(Pod)).map(({ metadata }) => metadata.uid).sort();
  const state = () =>
    Promise.all(
      NAMES.map(async (name) => {
        const deployment = await client.get(Deployment, key(name));
        const settings = await client.get(ConfigMap, key(name));
        // The generation may rise by one: the API server fills in what the former operator had sent as an empty value.
        return { uid: deployment.metadata.uid, spec: deployment.spec, settings: settings.metadata.uid, pods: await pods() };
      }),
    );

  test('it waits for the Lease, then nothing is made anew and no Pod is restarted', async () => {
    if (runsPods) await cluster.until(async () => expect(await pods()).toHaveLength(2 * NAMES.length));
    const before = await state();
    const versions = await Promise.all(NAMES.map(async (name) => (await client.get(Memcached, key(name))).metadata.resourceVersion));
    await cluster.startOperator({ log, settings: { leaseName: operator.name } });
    await eventually(async () => log.lines.some((line) => JSON.stringify(line).includes('lease')));
    expect(await Promise.all(NAMES.map(async (name) => (await client.get(Memcached, key(name))).metadata.resourceVersion))).toEqual(
      versions,
    );
    await former?.end();
    for (const name of NAMES) await cluster.until(Memcached, name, { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
    expect(await state()).toEqual(before);
  });

  test('what the successor does not state is gone, and the former operator owns nothing any more', async () => {
    for (const name of NAMES) {
      await cluster.until(ConfigMap, name, ({ data }) => expect(data).toEqual({ port: '11211' }));
      const deployment = await client.get(Deployment, key(name));
      expect(deployment.metadata.labels).toEqual({ 'app.kubernetes.io/name': 'memcached' });
      const memcached = await client.get(Memcached, key(name));
      expect(memcached.status?.conditions?.map(({ type }) => type).sort()).toEqual(['Available', 'Ready']);
      const children = [deployment, await client.get(ConfigMap, key(name))];
      expect(children.flatMap(managersOf).filter((manager) => manager.startsWith('client '))).toEqual([]);
    }
  });

  test('the finalizer of the former operator is the successor’s, and the CRD is stored as before', async () => {
    await cluster.delete(Memcached, 'a');
    await cluster.until(Memcached, 'a', 'absent');
    const definition = await client.get(CustomResourceDefinition, { name: 'memcacheds.cache.example.com' });
    expect(definition.status?.storedVersions).toEqual(['v1alpha1']);
    await cluster.create(Memcached({ metadata: { name: 'd' }, spec: {} }));
    await cluster.until(Deployment, 'd', 'present');
  });
}

for (const [name, start] of Object.entries(servers))
  describeGo(`an operator of kubebuilder is replaced while it runs, on ${name}`, () => replacement(start, name !== 'kube-apiserver'));
