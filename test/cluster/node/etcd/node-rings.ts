import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ExistingCluster, mergePatch, type StoredOf } from '@keelson/testing';
import { Lease, PersistentVolume, Pod } from 'keelson/kinds';
import type { EtcdApi, EtcdMember, EtcdTarget } from '../../../../examples/etcd/client/api.js';
import { createEtcdGateway } from '../../../../examples/etcd/client/gateway.js';
import { EtcdCluster } from '../../../../examples/etcd/cluster/etcd-cluster.js';
import { NODE_NAME } from '../../../../scripts/cluster/node/site.js';
import { type SharedNode, untilAccepted } from '../harness/index.js';

export const SYSTEM = 'etcd-system';
export const OPERATOR = 'etcd-operator';
/** Of the images that the node has of etcd. */
const USER = 65532;
const STORAGE_CLASS = 'etcd-of-the-test';
/** Milliseconds after which addresses of members are asked for again: who writes all the while must not ask the API server each time. */
const TARGET_MS = 250;

type Spec = Parameters<typeof EtcdCluster>[0]['spec'];
type StoredPod = StoredOf<typeof Pod>;

/** Clusters of etcd on a node, whose operator is Pods too. */
export class NodeRings {
  readonly cluster: ExistingCluster;
  readonly etcd: EtcdApi = createEtcdGateway();
  readonly #node: SharedNode;
  readonly #targets = new Map<string, { readonly askAfter: number; readonly value: EtcdTarget }>();

  constructor(node: SharedNode, cluster: ExistingCluster) {
    this.#node = node;
    this.cluster = cluster;
  }

  /** Members without root, as the Pod Security Standard `restricted` has it. */
  async create(
    name: string,
    spec: Omit<Spec, 'pod'> & { readonly claim?: NonNullable<Spec['pod']>['persistentVolumeClaimSpec'] },
  ): Promise<void> {
    const { claim, ...others } = spec;
    const securityContext = {
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      fsGroup: USER,
      seccompProfile: { type: 'RuntimeDefault' },
    } as const;
    const pod = { securityContext, ...(claim === undefined ? {} : { persistentVolumeClaimSpec: claim }) };
    await this.cluster.create(EtcdCluster({ metadata: { name }, spec: { ...others, pod } }));
  }

  async change(name: string, spec: { readonly size?: number; readonly version?: string }): Promise<void> {
    // A Pod of the operator that was killed is called for a moment still.
    await untilAccepted(() => this.cluster.patch(EtcdCluster, name, mergePatch({ spec })));
  }

  /** The operator has done all that the spec asks for. */
  ready(name: string): Promise<StoredOf<typeof EtcdCluster>> {
    return this.cluster.until(EtcdCluster, name, ({ metadata, spec, status }) => {
      const ready = status?.conditions?.find(({ type }) => type === 'Ready');
      return (
        ready?.status === 'True' &&
        ready.observedGeneration === metadata.generation &&
        status?.size === spec.size &&
        status?.members?.ready?.length === spec.size
      );
    });
  }

  podsOf(name: string): Promise<readonly StoredPod[]> {
    return this.cluster.list(Pod, { labels: { app: 'etcd', etcd_cluster: name } });
  }

  /** Those that run. It does not wait for the API server: while that is away, they are those that ran before. */
  async targetOf(name: string): Promise<EtcdTarget> {
    const known = this.#targets.get(name);
    if (known === undefined) return this.#targetNow(name);
    if (performance.now() > known.askAfter) {
      this.#targets.set(name, { ...known, askAfter: Number.POSITIVE_INFINITY });
      this.#targetNow(name).catch(() => this.#targets.set(name, { ...known, askAfter: performance.now() + TARGET_MS }));
    }
    return known.value;
  }

  async #targetNow(name: string): Promise<EtcdTarget> {
    const pods = await this.podsOf(name);
    const running = pods.filter(({ status, metadata }) => status?.phase === 'Running' && metadata.deletionTimestamp === undefined);
    const value = { endpoints: running.map(({ status }) => `http://${status?.podIP}:2379`) };
    this.#targets.set(name, { askAfter: performance.now() + TARGET_MS, value });
    return value;
  }

  /** By the names of their Pods. */
  async membersOf(name: string): Promise<Map<string, EtcdMember>> {
    const { members } = await this.etcd.members(await this.#targetNow(name));
    return new Map(members.map((member) => [member.name ?? '', member]));
  }

  /** Pods of the operator that are not being deleted. */
  async operatorPods(): Promise<StoredPod[]> {
    const pods = await this.cluster.list(Pod, { namespace: SYSTEM, labels: { 'app.kubernetes.io/component': 'operator' } });
    return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  /** The name of the Pod that leads. */
  async leader(): Promise<string> {
    const { spec } = await this.cluster.get(Lease, `${SYSTEM}/${OPERATOR}`);
    return spec?.holderIdentity?.split('_')[0] ?? '';
  }

  /** As many volumes as members may want: nothing on the node makes them. @returns what claims ask for */
  async volumes(count: number): Promise<NonNullable<NonNullable<Spec['pod']>['persistentVolumeClaimSpec']>> {
    const { namespace } = this.cluster;
    const storageClassName = `${STORAGE_CLASS}-${namespace}`;
    for (let index = 0; index < count; index += 1) await this.volume(`${namespace}-${index}`, '1Gi', storageClassName);
    return { storageClassName, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  }

  /** A folder of this machine, for a claim of that size. */
  async volume(name: string, storage: string, storageClassName?: string): Promise<void> {
    const path = join(this.#node.connection.directory, 'volumes', name);
    mkdirSync(path, { recursive: true });
    chownSync(path, USER, USER);
    const here = { key: 'kubernetes.io/hostname', operator: 'In' as const, values: [NODE_NAME] };
    await this.cluster.create(PersistentVolume, {
      metadata: { name },
      spec: {
        ...(storageClassName === undefined ? {} : { storageClassName }),
        capacity: { storage },
        accessModes: ['ReadWriteOnce'],
        local: { path },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [here] }] } },
      },
    });
  }
}
