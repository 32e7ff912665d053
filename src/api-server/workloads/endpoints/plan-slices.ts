import type { Endpoint, EndpointSlice, Node, Service } from '@keelson/kubernetes/kinds';
import { controllerReference, isSame } from '../objects/index.js';
import { isGoing, isReady } from '../pods/index.js';
import { hostnameIn, isHeadless, type PodPort, type ServedPod } from './service-pods.js';

export const SERVICE_NAME = 'kubernetes.io/service-name';
export const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
export const MANAGER = 'endpointslice-controller.k8s.io';
const HEADLESS = 'service.kubernetes.io/headless';
const RESERVED: readonly string[] = [SERVICE_NAME, MANAGED_BY, HEADLESS];
const ZONE = 'topology.kubernetes.io/zone';
/** Most endpoints of one slice. */
const SLICE_SIZE = 100;

export interface SliceState {
  readonly service: Service;
  readonly behind: readonly ServedPod[];
  /** The existing slices of this Service and of this controller. */
  readonly slices: readonly EndpointSlice[];
  readonly nodeOf: (name: string) => Node | undefined;
}

type FilledSlice = EndpointSlice & { readonly endpoints: readonly Endpoint[] };

export interface SlicePlan {
  readonly create: readonly object[];
  readonly update: readonly EndpointSlice[];
  readonly remove: readonly EndpointSlice[];
}

/** Endpoints stay in the slice in which they are. Source: kubernetes `endpointslice`, reconciler. */
export function planSlices(state: SliceState): SlicePlan {
  const { service } = state;
  const slices = state.slices.map(withLists);
  const [create, update, remove]: [object[], EndpointSlice[], EndpointSlice[]] = [[], [], []];
  const groups = byPorts(state.behind);
  const kept = new Set<EndpointSlice>();
  for (const { ports, pods } of groups) {
    const open = new Map(pods.map((one) => [one.pod.metadata.uid ?? '', endpointOf(state, one)]));
    const own = slices.filter((slice) => isSame(slice.ports ?? [], ports));
    for (const slice of own) {
      const stay = slice.endpoints.flatMap(({ targetRef }) => take(open, targetRef?.uid ?? ''));
      const next = own.at(-1) === slice ? [...stay, ...takeSome(open, SLICE_SIZE - stay.length)] : stay;
      if (next.length === 0) continue;
      kept.add(slice);
      const labels = labelsOf(service);
      if (!isSame(next, slice.endpoints) || !isSame(labels, slice.metadata.labels))
        update.push({ ...slice, endpoints: next, metadata: { ...slice.metadata, labels } });
    }
    while (open.size > 0) create.push(sliceOf(service, { ports, endpoints: takeSome(open, SLICE_SIZE) }));
  }
  // A Service always has a slice, be it an empty one.
  const placeholder =
    kept.size + create.length > 0 ? undefined : slices.find((slice) => slice.endpoints.length === 0 && (slice.ports ?? []).length === 0);
  if (kept.size + create.length === 0 && placeholder === undefined) create.push(sliceOf(service, { ports: [], endpoints: [] }));
  remove.push(...slices.filter((slice) => !kept.has(slice) && slice !== placeholder));
  return { create, update, remove };
}

/** The server keeps null where a list that has to be there is empty. */
function withLists(slice: EndpointSlice): FilledSlice {
  return { ...slice, endpoints: slice.endpoints ?? [], ports: slice.ports ?? [] };
}

function take(open: Map<string, Endpoint>, uid: string): readonly Endpoint[] {
  const endpoint = open.get(uid);
  open.delete(uid);
  return endpoint === undefined ? [] : [endpoint];
}

function takeSome(open: Map<string, Endpoint>, count: number): Endpoint[] {
  return [...open.keys()].slice(0, Math.max(0, count)).flatMap((uid) => take(open, uid));
}

/** Pods may have different numbers for a port's name. */
function byPorts(behind: readonly ServedPod[]): readonly { readonly ports: readonly PodPort[]; readonly pods: readonly ServedPod[] }[] {
  const groups = new Map<string, { readonly ports: readonly PodPort[]; readonly pods: ServedPod[] }>();
  for (const one of behind) {
    const key = JSON.stringify(one.ports);
    const group = groups.get(key) ?? { ports: one.ports, pods: [] };
    group.pods.push(one);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function endpointOf({ service, nodeOf }: SliceState, { pod }: ServedPod): Endpoint {
  const { namespace, name, uid } = pod.metadata;
  const { nodeName = '' } = pod.spec;
  const [serving, terminating] = [isReady(pod), isGoing(pod)];
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const zone = nodeOf(nodeName)?.metadata.labels?.[ZONE];
  const hostname = hostnameIn(service, pod);
  return {
    addresses: [pod.status?.podIP ?? ''],
    conditions: { ready, serving, terminating },
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === '' ? {} : { nodeName }),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(zone === undefined ? {} : { zone }),
  };
}

function labelsOf(service: Service): Record<string, string> {
  const labels = Object.entries(service.metadata.labels ?? {}).filter(([key]) => !RESERVED.includes(key));
  return {
    ...Object.fromEntries(labels),
    ...(isHeadless(service) ? { [HEADLESS]: '' } : {}),
    [SERVICE_NAME]: service.metadata.name,
    [MANAGED_BY]: MANAGER,
  };
}

function sliceOf(
  service: Service,
  { ports, endpoints }: { readonly ports: readonly PodPort[]; readonly endpoints: readonly Endpoint[] },
): object {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${service.metadata.name}-`,
      labels: labelsOf(service),
      ownerReferences: [controllerReference(service, { apiVersion: 'v1', kind: 'Service' })],
    },
    addressType: 'IPv4',
    endpoints,
    ports,
  };
}
