import type { Container, PodSecurityContext, Volume } from '@keelson/kubernetes/kinds';

/** Volumes that Pod Security `restricted` allows. */
const VOLUME_TYPES: ReadonlySet<string> = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

/** The part of a pod that Pod Security looks at. */
export interface SecuredPod {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[] | undefined;
  readonly securityContext?: PodSecurityContext | undefined;
  readonly volumes?: readonly Volume[] | undefined;
}

/**
 * Why a namespace that enforces Pod Security `restricted` would refuse a pod. The refusal would reach the ReplicaSet alone, as an event: the Deployment
 * is taken and stays without pods.
 *
 * Source: the Pod Security Standards, as pod-security-admission checks them for Linux pods.
 */
export function restrictedProblems(pod: SecuredPod): string[] {
  const volumes = (pod.volumes ?? []).flatMap(({ name, ...source }) =>
    Object.entries(source)
      .filter(([type, value]) => value !== undefined && !VOLUME_TYPES.has(type))
      .map(([type]) => `volume '${name}' is of type ${type}`),
  );
  return [
    ...volumes,
    ...[...(pod.initContainers ?? []), ...pod.containers].flatMap((container) => containerProblems(container, pod.securityContext ?? {})),
  ];
}

function containerProblems({ name, securityContext: own = {} }: Container, pod: PodSecurityContext): string[] {
  const { drop = [], add = [] } = own.capabilities ?? {};
  const seccomp = (own.seccompProfile ?? pod.seccompProfile)?.type;
  const wrong: readonly (readonly [boolean, string])[] = [
    [own.privileged === true, 'privileged must not be true'],
    [own.allowPrivilegeEscalation !== false, 'allowPrivilegeEscalation must be false'],
    [!drop.includes('ALL'), "capabilities.drop must hold 'ALL'"],
    [add.some((capability) => capability !== 'NET_BIND_SERVICE'), 'capabilities.add may hold NET_BIND_SERVICE alone'],
    [(own.runAsNonRoot ?? pod.runAsNonRoot) !== true, 'runAsNonRoot must be true'],
    [(own.runAsUser ?? pod.runAsUser) === 0, 'runAsUser must not be 0'],
    [seccomp !== 'RuntimeDefault' && seccomp !== 'Localhost', 'seccompProfile.type must be RuntimeDefault or Localhost'],
  ];
  return wrong.filter(([isWrong]) => isWrong).map(([, what]) => `container '${name}': ${what}`);
}
