import type { Pod, Service } from '@keelson/kubernetes/kinds';
import { isSidecar } from '../kubelet/index.js';
import { labelsMatcher } from '../objects/index.js';
import { isTerminal } from '../pods/index.js';

type ServicePort = NonNullable<NonNullable<Service['spec']>['ports']>[number];

/** A port of a Service, with the number that it has in a Pod. */
export interface PodPort {
  readonly name: string;
  readonly port: number;
  readonly protocol: NonNullable<ServicePort['protocol']>;
  readonly appProtocol?: string;
}

export interface ServedPod {
  readonly pod: Pod;
  readonly ports: readonly PodPort[];
}

/** Whether endpoints of a Service are kept for it: it chooses Pods, and is not a mere name. */
export function hasEndpoints({ spec }: Service): boolean {
  return spec?.selector !== undefined && spec.type !== 'ExternalName';
}

/** The Pods that can stand behind a Service: those that have an address and have not ended. */
export function podsBehind({ spec = {} }: Service, pods: readonly Pod[]): readonly ServedPod[] {
  const matches = labelsMatcher(spec.selector ?? {});
  return pods
    .filter((pod) => matches(pod.metadata.labels) && !isTerminal(pod) && (pod.status?.podIP ?? '') !== '')
    .map((pod) => ({ pod, ports: (spec.ports ?? []).flatMap((port) => portOf(pod, port)) }));
}

function portOf(pod: Pod, { name = '', port: own, targetPort = own, protocol = 'TCP', appProtocol }: ServicePort): readonly PodPort[] {
  const port = typeof targetPort === 'number' ? targetPort : namedPort(pod, targetPort, protocol);
  if (port === undefined) return [];
  return [{ name, port, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }];
}

function namedPort({ spec }: Pod, wanted: string, protocol: string): number | undefined {
  const containers = [...spec.containers, ...(spec.initContainers ?? []).filter(isSidecar)];
  return containers.flatMap(({ ports = [] }) => ports).find((port) => port.name === wanted && (port.protocol ?? 'TCP') === protocol)
    ?.containerPort;
}

/** A Pod that has a name of its own in the domain of the Service. */
export function hostnameIn({ metadata }: Service, pod: Pod): string | undefined {
  const { hostname = '', subdomain = '' } = pod.spec;
  return hostname !== '' && subdomain === metadata.name ? hostname : undefined;
}

export function isHeadless({ spec }: Service): boolean {
  return spec?.clusterIP === 'None' || (spec?.clusterIP ?? '') === '';
}
