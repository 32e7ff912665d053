import type { ServiceSpec } from '../../drafts.js';
import {
  getsNodePorts,
  isReachableFromOutside,
  mayHaveNodePorts,
  needsAddress,
  needsHealthCheck,
  nodePortsOf,
  sameTexts,
} from './service-spec.js';

/**
 * Fields that an update leaves out stay as they were allocated, so that the same manifest can be sent again.
 *
 * Source: kubernetes `pkg/registry/core/service/storage/storage.go` (`patchAllocatedValues`).
 */
export function keepAllocated(spec: ServiceSpec, old: ServiceSpec): void {
  if (needsAddress(old) && needsAddress(spec)) {
    if (!spec.clusterIP && old.clusterIP) spec.clusterIP = old.clusterIP;
    if ((spec.clusterIPs ?? []).length === 0 && (old.clusterIPs ?? []).length > 0) spec.clusterIPs = [...(old.clusterIPs ?? [])];
  }
  if (getsNodePorts(old) && getsNodePorts(spec)) keepNodePorts(spec, old);
  if (needsHealthCheck(old) && needsHealthCheck(spec) && !spec.healthCheckNodePort && old.healthCheckNodePort) {
    spec.healthCheckNodePort = old.healthCheckNodePort;
  }
}

function keepNodePorts(spec: ServiceSpec, old: ServiceSpec): void {
  const kept = nodePortsOf(spec).filter((port) => nodePortsOf(old).includes(port));
  const byName = new Map((old.ports ?? []).map(({ name = '', nodePort = 0 }) => [name, nodePort]));
  for (const port of spec.ports ?? []) {
    const before = byName.get(port.name ?? '') ?? 0;
    if (!port.nodePort && before !== 0 && !kept.includes(before)) port.nodePort = before;
  }
}

/** `clusterIP` is the first of `clusterIPs`: a change of one means both. `old` is undefined on a create. */
export function agreeOnAddresses(spec: ServiceSpec, old: ServiceSpec | undefined): void {
  const { clusterIP = '', clusterIPs = [] } = spec;
  if (old === undefined) {
    if (clusterIP !== '' && clusterIPs.length === 0) spec.clusterIPs = [clusterIP];
    return;
  }
  const { clusterIP: before = '', clusterIPs: allBefore = [] } = old;
  if (allBefore.length > 0 && clusterIPs.length === 0 && before === clusterIP) spec.clusterIPs = [...allBefore];
  if (before === clusterIP || !sameTexts(spec.clusterIPs, allBefore)) return;
  if (clusterIP === '') delete spec.clusterIPs;
  else spec.clusterIPs = [clusterIP];
}

/**
 * A client that changes the type need not clear what the new type does not have, as long as it was left as it was.
 *
 * Source: kubernetes `pkg/registry/core/service/strategy.go` (`dropTypeDependentFields`).
 */
export function dropFieldsOfOldType(spec: ServiceSpec, old: ServiceSpec): void {
  if (needsAddress(old) && !needsAddress(spec)) dropAddresses(spec, old);
  const addsPorts = nodePortsOf(spec).some((port) => !nodePortsOf(old).includes(port));
  if (mayHaveNodePorts(old) && !mayHaveNodePorts(spec) && !addsPorts) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  const isSame = (field: keyof ServiceSpec): boolean => (spec[field] ?? '') === (old[field] ?? '');
  if (needsHealthCheck(old) && !needsHealthCheck(spec) && isSame('healthCheckNodePort')) delete spec.healthCheckNodePort;
  if (old.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    if (isSame('allocateLoadBalancerNodePorts')) delete spec.allocateLoadBalancerNodePorts;
    if (isSame('loadBalancerClass')) delete spec.loadBalancerClass;
  }
  if (isReachableFromOutside(old) && !isReachableFromOutside(spec) && isSame('externalTrafficPolicy')) delete spec.externalTrafficPolicy;
}

function dropAddresses(spec: ServiceSpec, old: ServiceSpec): void {
  if ((spec.clusterIP ?? '') === (old.clusterIP ?? '') && sameTexts(spec.clusterIPs, old.clusterIPs)) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (sameTexts(spec.ipFamilies, old.ipFamilies)) delete spec.ipFamilies;
  if (spec.ipFamilyPolicy === old.ipFamilyPolicy) delete spec.ipFamilyPolicy;
}
