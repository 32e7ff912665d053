import { createHash } from 'node:crypto';
import type { EtcdCluster } from './etcd-cluster.js';

export const CLIENT_PORT = 2379;
export const PEER_PORT = 2380;
/** Without TLS: kubelets have no client certificate. */
export const PROBE_PORT = 2381;

/** Version of etcd that a Pod has, or gets. */
export const VERSION_ANNOTATION = 'etcd.version';
/** On a Pod: hash of what the spec says about Pods. */
export const POLICY_ANNOTATION = 'etcd.database.coreos.com/pod-policy';
/** On a claim: id of the member whose data it holds, or `seed`. Data of another member under the same name must not be used. */
export const MEMBER_ANNOTATION = 'etcd.database.coreos.com/member';
export const SEED = 'seed';
/** On an EtcdCluster: `clusterwide`. */
export const SCOPE_ANNOTATION = 'etcd.database.coreos.com/scope';

/** As much of an EtcdCluster as names follow from. */
export interface Named {
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined; readonly uid: string };
  readonly spec: Pick<EtcdCluster['spec'], 'TLS'> & { readonly pod: Pick<EtcdCluster['spec']['pod'], 'ClusterDomain'> };
}

export function selectorLabels({ metadata: { name } }: Pick<Named, 'metadata'>): Record<string, string> {
  return { app: 'etcd', etcd_cluster: name };
}

export function clientServiceName({ metadata: { name } }: Pick<Named, 'metadata'>): string {
  return `${name}-client`;
}

/** Host name of a member, behind the headless Service. */
export function hostOf({ metadata, spec }: Named, pod: string): string {
  return `${pod}.${metadata.name}.${metadata.namespace}.svc${spec.pod.ClusterDomain}`;
}

/** As much as names of Secrets follow from, also before the API server has the object. */
interface NamedByUser {
  readonly metadata: { readonly name?: string | undefined };
  readonly spec: Pick<EtcdCluster['spec'], 'TLS'>;
}

/** Names of Secrets, by the role that shows the certificate in them. Absent without TLS. */
export interface TlsSecrets {
  readonly peer?: string | undefined;
  readonly server?: string | undefined;
  readonly client?: string | undefined;
}

/** The user's Secrets, or those that the operator makes. */
export function tlsSecretsOf({ metadata: { name }, spec: { TLS } }: NamedByUser): TlsSecrets {
  if (TLS?.managed !== undefined) return { peer: `${name}-peer-tls`, server: `${name}-server-tls`, client: `${name}-client-tls` };
  const { member, operatorSecret } = TLS?.static ?? {};
  return { peer: member?.peerSecret, server: member?.serverSecret, client: operatorSecret };
}

/** The Secret of the authorities that the operator makes. A reader of it can pose as any member. */
export function authoritySecretName({ metadata: { name } }: Pick<NamedByUser, 'metadata'>): string {
  return `${name}-ca`;
}

export function clientUrl(cluster: Named, pod: string): string {
  return `${tlsSecretsOf(cluster).client === undefined ? 'http' : 'https'}://${hostOf(cluster, pod)}:${CLIENT_PORT}`;
}

export function peerUrl(cluster: Named, pod: string): string {
  return `${tlsSecretsOf(cluster).peer === undefined ? 'http' : 'https'}://${hostOf(cluster, pod)}:${PEER_PORT}`;
}

/** The Pod of a member: the first label of the host in its peer URL. A member that has not started has no name of its own. Undefined for URLs that are not ours. */
export function podNameOf(peerUrls: readonly string[]): string | undefined {
  return /^https?:\/\/([a-z\d][a-z\d-]*)[.:]/.exec(peerUrls[0] ?? '')?.[1];
}

/** Neither vowels nor characters that look alike, as Kubernetes draws names. */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

// #region name
/**
 * The name of the next member follows from the members that there are: an answer to `add` that was lost, and a list from before it, lead to the same peer URL again,
 * which etcd refuses. A name that a Pod or claim has still is passed over: its data is that of a member that was removed. When all of that is gone, the name may
 * come back for another member.
 */
export function nextName(cluster: Pick<Named, 'metadata'>, ids: readonly string[], taken: ReadonlySet<string>): string {
  for (let attempt = 0; ; attempt += 1) {
    const digest = createHash('sha256')
      .update([cluster.metadata.uid, ...ids.toSorted(), attempt].join(' '))
      .digest();
    const suffix = [...digest.subarray(0, 10)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
    const name = `${cluster.metadata.name}-${suffix}`;
    if (!taken.has(name)) return name;
  }
}
// #endregion

/** The first member's name is the same in every run: two processes that both find nothing make one Pod. */
export function seedName(cluster: Pick<Named, 'metadata'>): string {
  return nextName(cluster, [], new Set());
}
