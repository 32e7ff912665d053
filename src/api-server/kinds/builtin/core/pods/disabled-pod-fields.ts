import type { Container, PodSpec } from '../../drafts.js';

/** A place of a field: names that lead to it, each of which may be a list. */
type Place = readonly string[];

const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'];
const ofContainers = (...place: Place): readonly Place[] => CONTAINERS.map((list) => [list, ...place]);
const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const HANDLERS = [...PROBES.map((probe) => [probe]), ['lifecycle', 'postStart'], ['lifecycle', 'preStop']];
const SOURCES = ['secret', 'configMap', 'downwardAPI'];

/**
 * Fields of features that are switched off, by feature: they are dropped unless the old object has one of them.
 *
 * Source: kubernetes `pkg/api/pod/util.go` (`dropDisabledFields`), `pkg/features/kube_features.go`.
 */
const DISABLED: Readonly<Record<string, readonly Place[]>> = {
  ContainerStopSignals: ofContainers('lifecycle', 'stopSignal'),
  EmptyDirVolumeMode: [['volumes', 'emptyDir', 'mode']],
  VolumeBindMountOptions: ofContainers('volumeMounts', 'bindMountOptions'),
  H2CContainerProbe: HANDLERS.flatMap((place) => ofContainers(...place, 'httpGet', 'protocol')),
  GRPCContainerProbeTLS: PROBES.flatMap((probe) => ofContainers(probe, 'grpc', 'mode')),
  GenericWorkload: [['schedulingGroup']],
  EvictionRequestAPI: [['evictionResponders']],
  AtomicWriteVolumeUserFields: [
    ...[...SOURCES, 'projected'].map((source) => ['volumes', source, 'defaultUser']),
    ...SOURCES.flatMap((source) => [
      ['volumes', source, 'items', 'user'],
      ['volumes', 'projected', 'sources', source, 'items', 'user'],
    ]),
    ...['serviceAccountToken', 'clusterTrustBundle', 'podCertificate'].map((source) => ['volumes', 'projected', 'sources', source, 'user']),
  ],
};

export function dropDisabledPodFields(spec: PodSpec | undefined, old: PodSpec | undefined): void {
  if (spec === undefined) return;
  for (const places of Object.values(DISABLED)) {
    if (places.some((place) => holdersOf(old, place).length > 0)) continue;
    for (const place of places) for (const holder of holdersOf(spec, place)) delete holder[place.at(-1) as string];
  }
  for (const list of CONTAINERS) {
    for (const container of ((spec as unknown as Record<string, Container[] | undefined>)[list] ?? []) as Container[]) {
      if (container.lifecycle !== undefined && Object.keys(container.lifecycle).length === 0) delete container.lifecycle;
    }
  }
}

/** The objects that have the field. */
function holdersOf(value: unknown, [name, ...rest]: Place): readonly Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap((item) => holdersOf(item, [name as string, ...rest]));
  if (typeof value !== 'object' || value === null || name === undefined) return [];
  const fields = value as Record<string, unknown>;
  if (fields[name] === undefined) return [];
  return rest.length === 0 ? [fields] : holdersOf(fields[name], rest);
}

/** From the time before init containers were fields. */
const INIT_CONTAINER_ANNOTATIONS = ['containers', 'container-statuses'].flatMap((what) => [
  `pod.beta.kubernetes.io/init-${what}`,
  `pod.alpha.kubernetes.io/init-${what}`,
]);

export function dropInitContainerAnnotations({ annotations }: { annotations?: Record<string, string> | undefined } = {}): void {
  for (const key of INIT_CONTAINER_ANNOTATIONS) delete annotations?.[key];
}
