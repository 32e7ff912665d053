import type { EndpointAddress, EndpointSubset, Endpoints, Service } from '@keelson/kubernetes/kinds';
import { isSame } from '../objects/index.js';
import { isGoing, isReady } from '../pods/index.js';
import { hostnameIn, isHeadless, type PodPort, type ServedPod } from './service-pods.js';

const HEADLESS = 'service.kubernetes.io/headless';
const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
const MANAGER = 'endpoint-controller';

/** The older form of endpoints, which clients still read. Undefined: it is right. Source: kubernetes `pkg/controller/endpoint`. */
export function wantedEndpoints(service: Service, behind: readonly ServedPod[], known: Endpoints | undefined): object | undefined {
  const { name, namespace } = service.metadata;
  const subsets = subsetsOf(service, behind);
  const labels = { ...service.metadata.labels, ...(isHeadless(service) ? { [HEADLESS]: '' } : {}), [MANAGED_BY]: MANAGER };
  if (known !== undefined && isSame(known.subsets, subsets) && isSame(known.metadata.labels, labels)) return undefined;
  return { apiVersion: 'v1', kind: 'Endpoints', ...known, metadata: { ...known?.metadata, name, namespace, labels }, subsets };
}

/** Ports that the same addresses offer stand together. */
function subsetsOf(service: Service, behind: readonly ServedPod[]): readonly EndpointSubset[] {
  const publishesAll = service.spec?.publishNotReadyAddresses === true;
  const served = behind.filter(({ pod }) => publishesAll || !isGoing(pod));
  const byPort = new Map<string, ServedPod[]>();
  for (const one of served) {
    for (const port of one.ports.length === 0 && isHeadless(service) ? ['null'] : one.ports.map((port) => JSON.stringify(port)))
      byPort.set(port, [...(byPort.get(port) ?? []), one]);
  }
  const byAddresses = new Map<string, { readonly pods: readonly ServedPod[]; readonly ports: string[] }>();
  for (const [port, pods] of byPort) {
    const key = pods.map(({ pod }) => pod.metadata.uid).join(' ');
    const group = byAddresses.get(key) ?? { pods, ports: [] };
    group.ports.push(port);
    byAddresses.set(key, group);
  }
  return [...byAddresses.values()].map(({ pods, ports }) => subsetOf(service, pods, ports));
}

function subsetOf(service: Service, pods: readonly ServedPod[], ports: readonly string[]): EndpointSubset {
  const publishesAll = service.spec?.publishNotReadyAddresses === true;
  const sorted = [...pods].sort((left, right) => ((left.pod.status?.podIP ?? '') < (right.pod.status?.podIP ?? '') ? -1 : 1));
  const address = ({ pod }: ServedPod): EndpointAddress => {
    const { namespace, name, uid } = pod.metadata;
    const hostname = hostnameIn(service, pod);
    return {
      ip: pod.status?.podIP ?? '',
      ...(hostname === undefined ? {} : { hostname }),
      nodeName: pod.spec.nodeName,
      targetRef: { kind: 'Pod', namespace, name, uid },
    };
  };
  const isUp = ({ pod }: ServedPod): boolean => publishesAll || isReady(pod);
  const [up, down] = [sorted.filter(isUp).map(address), sorted.filter((one) => !isUp(one)).map(address)];
  const named = ports.filter((port) => port !== 'null').map((port) => withoutEmptyName(JSON.parse(port) as PodPort));
  return {
    ...(up.length === 0 ? {} : { addresses: up }),
    ...(down.length === 0 ? {} : { notReadyAddresses: down }),
    ...(named.length === 0 ? {} : { ports: named }),
  };
}

function withoutEmptyName({ name, ...port }: PodPort): NonNullable<EndpointSubset['ports']>[number] {
  return name === '' ? port : { name, ...port };
}
