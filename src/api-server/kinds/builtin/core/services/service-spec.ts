import type { Service, ServiceSpec } from '../../drafts.js';

/** The server's rules for the fields of a Service that hang together. Source: kubernetes `pkg/api/service`, `pkg/registry/core/service`. */
export function specOf(service: Service): ServiceSpec {
  service.spec ??= {};
  return service.spec;
}

export function needsAddress({ type }: ServiceSpec): boolean {
  return type !== 'ExternalName';
}

export function isHeadless({ clusterIPs }: ServiceSpec): boolean {
  return clusterIPs?.length === 1 && clusterIPs[0] === 'None';
}

export function isReachableFromOutside({ type, externalIPs }: ServiceSpec): boolean {
  return type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && (externalIPs ?? []).length > 0);
}

export function needsHealthCheck({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

export function mayHaveNodePorts({ type }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

/** Whether all ports get node ports; a load balancer that needs none has only those that are asked for. */
export function getsNodePorts(spec: ServiceSpec): boolean {
  return spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);
}

export function nodePortsOf({ ports }: ServiceSpec): readonly number[] {
  return (ports ?? []).flatMap(({ nodePort = 0 }) => (nodePort === 0 ? [] : [nodePort]));
}

/** Order counts; none is as good as empty. */
export function sameTexts(left: readonly string[] | undefined, right: readonly string[] | undefined): boolean {
  const [one, other] = [left ?? [], right ?? []];
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
