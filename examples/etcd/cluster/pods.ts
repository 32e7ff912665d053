import {
  type Affinity,
  type Container,
  PersistentVolumeClaim,
  type PersistentVolumeClaimInput,
  Pod,
  type SecurityContext,
  type Volume,
  type VolumeMount,
} from 'keelson/kinds';
import type { EtcdCluster } from './etcd-cluster.js';
import {
  CLIENT_PORT,
  clientUrl,
  hostOf,
  MEMBER_ANNOTATION,
  type Named,
  PEER_PORT,
  POLICY_ANNOTATION,
  PROBE_PORT,
  peerUrl,
  selectorLabels,
  tlsSecretsOf,
  VERSION_ANNOTATION,
} from './names.js';
import { policyHash } from './pod-policy.js';

/** The part of a cluster that its Pods follow from. */
export type ClusterOfPods = Named & Pick<EtcdCluster, 'spec'>;

export interface MemberPod {
  readonly name: string;
  /** Version of etcd, as `3.6.16`. */
  readonly version: string;
  /** `new` for the first member of a cluster, or one from a backup; `existing` for all that join. */
  readonly state: 'new' | 'existing';
  /** All members of the list with this one: `m0=http://…:2380,m1=http://…:2380`. */
  readonly initialCluster: string;
  /** Runs before etcd does, with the data folder mounted: a restore. @defaultValue none */
  readonly initContainers?: readonly Container[] | undefined;
}

const DATA_VOLUME = 'etcd-data';
export const DATA_MOUNT: VolumeMount = { name: DATA_VOLUME, mountPath: '/var/etcd' };
export const DATA_DIRECTORY = '/var/etcd/data';

/** As the Pod Security Standard `restricted` has it for containers. The user and group are of the Pod, and follow from `spec.pod.securityContext`. */
export const UNPRIVILEGED: SecurityContext = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

export function imageOf({ spec: { repository } }: Pick<EtcdCluster, 'spec'>, version: string): string {
  return `${repository}:v${version}`;
}

// #region pod
/** The Pod of a member. Its name is the member's, and the first label of its host name. */
export function podFor(cluster: ClusterOfPods, member: MemberPod): Pod {
  const { pod } = cluster.spec;
  const { name, version, initContainers = [] } = member;
  return Pod({
    metadata: {
      name,
      generateName: `${cluster.metadata.name}-`,
      labels: { ...pod.labels, ...selectorLabels(cluster), etcd_node: name },
      annotations: { ...pod.annotations, [VERSION_ANNOTATION]: version, [POLICY_ANNOTATION]: policyHash(cluster) },
    },
    spec: {
      hostname: name,
      subdomain: cluster.metadata.name,
      // A process that ends finds its data again: the emptyDir lives as long as the Pod.
      restartPolicy: 'Always',
      automountServiceAccountToken: false,
      initContainers: [dnsCheck(cluster, name), ...initContainers],
      containers: [etcdContainer(cluster, member)],
      volumes: [dataVolume(cluster, name), ...tlsVolumes(cluster)],
      ...given({
        nodeSelector: pod.nodeSelector,
        tolerations: pod.tolerations,
        securityContext: pod.securityContext,
        affinity: pod.affinity ?? (pod.antiAffinity === true ? apart(cluster) : undefined),
      }),
    },
  });
}
// #endregion

/** The claim for the data of a member, which must not be used for another member. */
export function claimFor(cluster: ClusterOfPods, name: string, member: string): PersistentVolumeClaimInput | undefined {
  const { persistentVolumeClaimSpec } = cluster.spec.pod;
  if (persistentVolumeClaimSpec === undefined) return undefined;
  return PersistentVolumeClaim({
    metadata: {
      name,
      generateName: `${cluster.metadata.name}-`,
      labels: { ...selectorLabels(cluster), etcd_node: name },
      annotations: { [MEMBER_ANNOTATION]: member },
    },
    spec: persistentVolumeClaimSpec,
  });
}

/** Peers look its address up as soon as it is a member: it must not start before it has a name. */
function dnsCheck(cluster: ClusterOfPods, name: string): Container {
  const { busyboxImage, DNSTimeoutInSecond: timeout, resources } = cluster.spec.pod;
  const isLate = timeout === 0 ? '' : `[ $SECONDS_WAITED -ge ${timeout} ] && exit 1; `;
  // etcd follows the search list of its Pod, and so did nslookup in busybox 1.28; later ones do not for a name with dots.
  const isKnown = `is_known() { for domain in "" $(sed -n 's/^search //p' /etc/resolv.conf); do nslookup "${hostOf(cluster, name)}\${domain:+.$domain}" && return; done; return 1; }`;
  const wait = `${isKnown}; SECONDS_WAITED=0; while ! is_known; do ${isLate}sleep 1; SECONDS_WAITED=$((SECONDS_WAITED + 1)); done`;
  const command = ['/bin/sh', '-c', wait];
  return { name: 'check-dns', image: busyboxImage, command, securityContext: UNPRIVILEGED, ...given({ resources }) };
}

function etcdContainer(cluster: ClusterOfPods, member: MemberPod): Container {
  const { etcdEnv, resources } = cluster.spec.pod;
  return {
    name: 'etcd',
    image: imageOf(cluster, member.version),
    command: ['/usr/local/bin/etcd'],
    args: flagsOf(cluster, member),
    ports: [
      { name: 'server', containerPort: PEER_PORT },
      { name: 'client', containerPort: CLIENT_PORT },
    ],
    // Without a quorum a member is alive, or the kubelet would end the last one that has the data. It is ready when it serves, which a learner does not.
    livenessProbe: {
      httpGet: { path: '/livez', port: PROBE_PORT },
      initialDelaySeconds: 10,
      timeoutSeconds: 10,
      periodSeconds: 60,
      failureThreshold: 3,
    },
    readinessProbe: {
      httpGet: { path: '/readyz', port: PROBE_PORT },
      initialDelaySeconds: 1,
      timeoutSeconds: 5,
      periodSeconds: 5,
      failureThreshold: 3,
    },
    volumeMounts: [DATA_MOUNT, ...tlsMounts(cluster)],
    securityContext: UNPRIVILEGED,
    ...given({ env: etcdEnv, resources }),
  };
}

function flagsOf(cluster: ClusterOfPods, { name, state, initialCluster }: MemberPod): string[] {
  const peer = peerUrl(cluster, name);
  const client = clientUrl(cluster, name);
  return [
    `--data-dir=${DATA_DIRECTORY}`,
    `--name=${name}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--listen-peer-urls=${schemeOf(peer)}://0.0.0.0:${PEER_PORT}`,
    `--listen-client-urls=${schemeOf(client)}://0.0.0.0:${CLIENT_PORT}`,
    `--advertise-client-urls=${client}`,
    `--listen-metrics-urls=http://0.0.0.0:${PROBE_PORT}`,
    `--initial-cluster=${initialCluster}`,
    `--initial-cluster-state=${state}`,
    // Only a new cluster's id follows from it: two clusters of one name in turn are two for etcd.
    ...(state === 'new' ? [`--initial-cluster-token=${cluster.metadata.uid}`] : []),
    ...tlsFlags(cluster),
  ];
}

/** The members that the process of a Pod expects, from its flag. */
export function initialClusterOf({ spec }: Pod): string {
  const flag = '--initial-cluster=';
  const args = spec.containers.find(({ name }) => name === 'etcd')?.args ?? [];
  return args.find((arg) => arg.startsWith(flag))?.slice(flag.length) ?? '';
}

const schemeOf = (url: string): string => url.slice(0, url.indexOf(':'));

function dataVolume({ spec: { pod } }: ClusterOfPods, name: string): Volume {
  if (pod.persistentVolumeClaimSpec === undefined) return { name: DATA_VOLUME, emptyDir: {} };
  return { name: DATA_VOLUME, persistentVolumeClaim: { claimName: name } };
}

const PEER_TLS = { volume: 'member-peer-tls', path: '/etc/etcdtls/member/peer-tls' };
const SERVER_TLS = { volume: 'member-server-tls', path: '/etc/etcdtls/member/server-tls' };

function secretsOf(cluster: ClusterOfPods): { readonly secretName: string; readonly volume: string; readonly path: string }[] {
  const { peer, server } = tlsSecretsOf(cluster);
  return [
    ...(peer === undefined ? [] : [{ secretName: peer, ...PEER_TLS }]),
    ...(server === undefined ? [] : [{ secretName: server, ...SERVER_TLS }]),
  ];
}

function tlsVolumes(cluster: ClusterOfPods): Volume[] {
  return secretsOf(cluster).map(({ secretName, volume }) => ({ name: volume, secret: { secretName } }));
}

/** Whole folders: etcd reads its certificates at each handshake, and only so does it see those that replace them. */
function tlsMounts(cluster: ClusterOfPods): VolumeMount[] {
  return secretsOf(cluster).map(({ volume, path }) => ({ name: volume, mountPath: path, readOnly: true }));
}

function tlsFlags(cluster: ClusterOfPods): string[] {
  const secrets = tlsSecretsOf(cluster);
  const peer = ['cert-file=/peer.crt', 'key-file=/peer.key', 'trusted-ca-file=/peer-ca.crt'].map(
    (flag) => `--peer-${flag.replace('/', `${PEER_TLS.path}/`)}`,
  );
  const server = ['cert-file=/server.crt', 'key-file=/server.key', 'trusted-ca-file=/server-ca.crt'].map(
    (flag) => `--${flag.replace('/', `${SERVER_TLS.path}/`)}`,
  );
  return [
    ...(secrets.peer === undefined ? [] : ['--peer-client-cert-auth=true', ...peer]),
    ...(secrets.server === undefined ? [] : ['--client-cert-auth=true', ...server]),
  ];
}

function apart(cluster: ClusterOfPods): Affinity {
  const labelSelector = { matchLabels: { etcd_cluster: cluster.metadata.name } };
  return {
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey: 'kubernetes.io/hostname' }] },
  };
}

/** The fields that are there. */
function given<T extends object>(fields: T): { [P in keyof T]?: Exclude<T[P], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [P in keyof T]?: Exclude<T[P], undefined>;
  };
}
