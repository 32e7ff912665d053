import type { Container, Pod, Volume } from '@keelson/kubernetes/kinds';

type PodSpec = NonNullable<Pod['spec']>;

const VOLUME_PREFIX = 'kube-api-access-';
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
/** An hour, and the seven seconds by which such tokens are known. */
const EXPIRATION_SECONDS = 3607;
/** 0644. */
const FILE_MODE = 420;

/** The pod with a token of its service account in every container, where it mounts nothing of its own at the place. */
export function withToken(spec: PodSpec, suffixes: () => string): PodSpec {
  const volumes = spec.volumes ?? [];
  const known = volumes.find(({ name }) => name.startsWith(VOLUME_PREFIX))?.name;
  const needed = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].some((container) => !mountsToken(container));
  if (!needed) return spec;
  const name = known ?? `${VOLUME_PREFIX}${suffixes()}`;
  const mounting = (containers: readonly Container[]): Container[] =>
    containers.map((container) => (mountsToken(container) ? container : withMount(container, name)));
  return {
    ...spec,
    ...(known === undefined ? { volumes: [...volumes, tokenVolume(name)] } : {}),
    ...(spec.initContainers === undefined ? {} : { initContainers: mounting(spec.initContainers) }),
    containers: mounting(spec.containers ?? []),
  };
}

function mountsToken({ volumeMounts = [] }: Container): boolean {
  return volumeMounts.some(({ mountPath }) => mountPath === MOUNT_PATH);
}

function withMount(container: Container, name: string): Container {
  return { ...container, volumeMounts: [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath: MOUNT_PATH }] };
}

function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: EXPIRATION_SECONDS, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
      ],
      defaultMode: FILE_MODE,
    },
  };
}
