import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { customResourceDefinitionManifest } from 'keelson';
import { eventually } from '../../eventually.js';
import { keptPort } from '../../kept-port.js';
import { type LocalCluster, Relay, startCluster, type TestObject } from '../harness/index.js';
import { LEASE, OPERATOR_NAMESPACE, Replica } from './replica.js';
import { Website } from './website.js';
import { strayWrites, type Write, writesOf } from './writers.js';

/** Users, too: the audit log tells the replicas apart by them. */
const REPLICAS = ['a', 'b', 'c', 'd', 'e'] as const;
export type ReplicaName = (typeof REPLICAS)[number];
const NAMESPACE = 'shop';
const CRD = 'websites.disturbed.example.com';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WEBSITES = `/apis/disturbed.example.com/v1/namespaces/${NAMESPACE}/websites`;
const CHILDREN = {
  configmaps: `/api/v1/namespaces/${NAMESPACE}/configmaps`,
  deployments: `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`,
  services: `/api/v1/namespaces/${NAMESPACE}/services`,
} as const;
const LEASE_PATH = `/apis/coordination.k8s.io/v1/namespaces/${OPERATOR_NAMESPACE}/leases/${LEASE}`;
/** An API server that ends closes the watches as well, one after the other; by default it leaves them open until it is killed. */
const WATCHES_END = '--shutdown-watch-termination-grace-period=2s';
const PACE_MS = 40;

interface Listed {
  readonly items: readonly (TestObject & {
    readonly metadata: {
      readonly name: string;
      readonly uid: string;
      readonly generation?: number;
      readonly ownerReferences?: readonly { readonly uid: string }[];
    };
    readonly spec?: { readonly title?: string };
    readonly data?: { readonly title?: string };
    readonly status?: { readonly title?: string; readonly observedGeneration?: number };
  })[];
}

/** A real control plane with the operator's CRD, replicas of the operator, and who changes its objects. */
export class Scene {
  readonly cluster: LocalCluster;
  readonly #replicas: Replica[] = [];
  readonly #relays: Relay[] = [];

  private constructor(cluster: LocalCluster) {
    this.cluster = cluster;
  }

  static async open(): Promise<Scene> {
    const users = Object.fromEntries(REPLICAS.map((name) => [name, ['system:masters']]));
    const cluster = await startCluster({ users, apiServerFlags: [WATCHES_END] });
    const scene = new Scene(cluster);
    try {
      await scene.installDefinition();
      for (const name of [NAMESPACE, OPERATOR_NAMESPACE])
        await cluster.must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    } catch (error) {
      await scene.close();
      throw error;
    }
    return scene;
  }

  async close(): Promise<void> {
    // One that is stopped would hear nothing else.
    await Promise.all(this.#replicas.map((replica) => replica.end('SIGKILL')));
    for (const relay of this.#relays) relay.close();
    await this.cluster.stop();
  }

  /** Starts a replica. @returns when it is ready: its caches are full, whether it leads or not */
  async replica(
    name: ReplicaName,
    options: { readonly server?: string; readonly environment?: Readonly<Record<string, string>> } = {},
  ): Promise<Replica> {
    const { server = this.cluster.url, environment = {} } = options;
    const healthPort = await keptPort();
    const kubeconfig = join(this.cluster.connection.directory, `${name}.kubeconfig`);
    writeFileSync(kubeconfig, JSON.stringify(this.#kubeconfig(name, server)), { mode: 0o600 });
    const replica = new Replica({ name, kubeconfig, healthPort, environment });
    this.#replicas.push(replica);
    await this.eventually(`${name} is ready`, async () => !replica.isRunning || (await replica.readiness())[0] === 200);
    return replica;
  }

  async relay(): Promise<{ readonly relay: Relay; readonly server: string }> {
    const relay = await Relay.open(new URL(this.cluster.url));
    this.#relays.push(relay);
    return { relay, server: `https://127.0.0.1:${relay.port}` };
  }

  async installDefinition(): Promise<void> {
    await this.cluster.must('POST', CRDS, customResourceDefinitionManifest(Website));
    await this.eventually('the CRD is served', async () => (await this.cluster.request('GET', WEBSITES)).status === 200);
  }

  /** @returns when it is gone, and all its objects with it */
  async removeDefinition(): Promise<void> {
    await this.cluster.must('DELETE', `${CRDS}/${CRD}`);
    await this.eventually('the CRD is gone', async () => (await this.cluster.request('GET', `${CRDS}/${CRD}`)).status === 404);
  }

  async make(names: readonly string[], title = 'new'): Promise<void> {
    for (const name of names) {
      const metadata = { name, namespace: NAMESPACE };
      await this.cluster.must('POST', WEBSITES, {
        apiVersion: 'disturbed.example.com/v1',
        kind: 'Website',
        metadata,
        spec: { title },
      });
    }
  }

  /** @returns the uid that it had */
  async remove(name: string): Promise<string> {
    const { details } = await this.cluster.must<{ details: { uid: string } }>('DELETE', `${WEBSITES}/${name}`);
    return details.uid;
  }

  /** As the garbage collector does, which does not run here: children of owners that are not there go. */
  async collectGarbage(): Promise<void> {
    const { status, body } = await this.cluster.request<Listed>('GET', WEBSITES);
    const owners = new Set((status === 200 ? body.items : []).map(({ metadata }) => metadata.uid));
    for (const path of Object.values(CHILDREN)) {
      const orphans = (await this.#list(path)).items.filter(({ metadata }) =>
        metadata.ownerReferences?.every(({ uid }) => !owners.has(uid)),
      );
      for (const { metadata } of orphans) await this.cluster.must('DELETE', `${path}/${metadata.name}`);
    }
  }

  /** @returns the status of the answer */
  async retitle(name: string, title: string): Promise<number> {
    const type = { contentType: 'application/merge-patch+json' };
    return (await this.cluster.request('PATCH', `${WEBSITES}/${name}`, { spec: { title } }, type)).status;
  }

  /** Names of the children of each kind, without what others have made. */
  async children(): Promise<Readonly<Record<string, readonly string[]>>> {
    const lists = await Promise.all(
      Object.entries(CHILDREN).map(async ([plural, path]) => [plural, namesIn(await this.#list(path))] as const),
    );
    return Object.fromEntries(lists);
  }

  /** Every Website has its children, which are as it says, and its status says so. */
  async converged(names: readonly string[]): Promise<void> {
    await this.eventually(`${names.join(', ')} have converged`, async () => {
      const websites = await this.#list(WEBSITES);
      const wanted = [...names].sort().join();
      if (namesIn(websites).join() !== wanted) return false;
      const children = await this.children();
      if (Object.values(children).some((kind) => kind.join() !== wanted)) return false;
      const configs = new Map((await this.#list(CHILDREN.configmaps)).items.map(({ metadata, data }) => [metadata.name, data?.title]));
      return websites.items.every(
        ({ metadata, spec, status }) =>
          configs.get(metadata.name) === spec?.title && status?.title === spec?.title && status?.observedGeneration === metadata.generation,
      );
    });
  }

  /** It has looked at nothing for a second: the echo of what it wrote has come, too. */
  async quiet(replica: Replica): Promise<void> {
    let [lines, looks] = [-1, 0];
    await this.eventually(`${replica.name} is quiet`, async () => {
      looks = replica.lines.length === lines ? looks + 1 : 0;
      lines = replica.lines.length;
      return looks === 10;
    });
  }

  /** Changes one Website after the other, whatever becomes of the API server. */
  load(names: readonly string[]): Load {
    return new Load(this, names);
  }

  /** @returns when this replica holds the Lease, and has renewed it after `since` if that is given */
  leads(names: readonly string[], since = new Date(0)): Promise<string> {
    let leader = '';
    return this.eventually(`${names.join(' or ')} leads`, async () => {
      const { body } = await this.cluster.request<{ spec?: { holderIdentity?: string; renewTime?: string } }>('GET', LEASE_PATH);
      leader = (body.spec?.holderIdentity ?? '').split('_')[0] ?? '';
      return names.includes(leader) && new Date(body.spec?.renewTime ?? 0) > since;
    }).then(() => leader);
  }

  /** Of all replicas, without the first ones. */
  writes(since = 0): Write[] {
    return writesOf(this.cluster.audit(), REPLICAS)
      .filter(({ isDone }) => isDone)
      .slice(since);
  }

  /** What a replica wanted to write since then, be it refused, but for the Lease. */
  attempts(name: ReplicaName, since: Date): string[] {
    return writesOf(this.cluster.audit(), [name]).flatMap(({ leader, what, receivedAt }) =>
      leader === undefined && new Date(receivedAt) > since ? what : [],
    );
  }

  /** From the last write of one replica to the Lease until the first one of the other after it; tries are how often that one has read it meanwhile. */
  takeover(from: ReplicaName, to: ReplicaName): { readonly tookMs: number; readonly tries: number } {
    const terms = this.writes().filter(({ leader }) => leader !== undefined);
    const renewed = terms.findLast(({ by }) => by === from)?.answeredAt;
    const taken = terms.find(({ by, receivedAt }) => by === to && receivedAt > (renewed ?? ''))?.receivedAt;
    if (renewed === undefined || taken === undefined) throw new Error(`${to} has not taken the Lease over from ${from}`);
    const tries = this.cluster
      .audit()
      .filter(({ user, verb, objectRef }) => user.username === to && verb === 'get' && objectRef?.resource === 'leases')
      .filter(({ requestReceivedTimestamp: at }) => at > renewed && at < taken);
    return { tookMs: Date.parse(taken) - Date.parse(renewed), tries: tries.length };
  }

  /** `patch configmaps shop/one` for each object that came into being by it. */
  created(since: number): string[] {
    return this.writes(since).flatMap(({ hasCreated, what }) => (hasCreated ? what : []));
  }

  strayWrites(): string[] {
    return strayWrites(this.writes());
  }

  /** Requests of a replica for Websites since then that were no writes. */
  readsOf(name: string, since: Date): number {
    return this.cluster
      .audit()
      .filter(
        ({ user, verb, objectRef, requestReceivedTimestamp }) =>
          user.username === name &&
          objectRef?.resource === 'websites' &&
          ['get', 'list', 'watch'].includes(verb) &&
          new Date(requestReceivedTimestamp) > since,
      ).length;
  }

  /** Asks until it is so. An API server that does not answer has not answered yet. */
  async eventually(what: string, ask: () => Promise<boolean>): Promise<void> {
    await eventually(ask, what, () => true);
  }

  async #list(path: string): Promise<Listed> {
    const query = { labelSelector: path === WEBSITES ? '' : 'website' };
    const { status, body } = await this.cluster.request<Listed>('GET', path, undefined, { query });
    if (status !== 200) throw new Error(`GET ${path}: ${status}`);
    return body;
  }

  #kubeconfig(user: string, server: string): object {
    const { ca, tokens } = this.cluster.connection;
    return {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
      users: [{ name: user, user: { token: tokens[user] } }],
      contexts: [{ name: user, context: { cluster: 'test', user } }],
      'current-context': user,
    };
  }
}

/** Changes that users ask for, steadily. What is refused or lost is asked for again, as they would. */
export class Load {
  #changes = 0;
  #isOver = false;
  readonly #end: Promise<void>;

  constructor(scene: Scene, names: readonly string[]) {
    this.#end = this.#run(scene, names);
  }

  /** How many have been accepted. */
  get changes(): number {
    return this.#changes;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#end;
  }

  async #run(scene: Scene, names: readonly string[]): Promise<void> {
    while (!this.#isOver) {
      const name = names[this.#changes % names.length] ?? '';
      const status = await scene.retitle(name, `change ${this.#changes}`).catch(() => 0);
      if (status === 200) this.#changes += 1;
      // A pace, not a wait: users do not ask as fast as they can.
      await new Promise((resolve) => setTimeout(resolve, PACE_MS));
    }
  }
}

const namesIn = ({ items }: Listed): string[] => items.map(({ metadata }) => metadata.name).sort();
