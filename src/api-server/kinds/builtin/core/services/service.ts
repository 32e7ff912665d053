import type { Behaviour, Surroundings } from '../../behaviour.js';
import { cidrWarnings, ipWarnings, labelNames } from '../../checks/index.js';
import type { Service, ServiceSpec } from '../../drafts.js';
import { fieldLabels } from '../../field-labels.js';
import { keepSpec, keepStatus } from '../../generation.js';
import { loadBalancerErrors } from './load-balancer-status.js';
import { ServiceAllocation } from './service-allocation.js';
import { agreeOnAddresses, dropFieldsOfOldType, keepAllocated } from './service-changes.js';
import { ServicePools } from './service-pools.js';
import { isReachableFromOutside, specOf } from './service-spec.js';
import { serviceErrors, serviceUpdateErrors } from './service-validation.js';

/**
 * Services, on a cluster that has IPv4 only. Their addresses are not objects of their own (`IPAddress`), but those of the stored Services.
 *
 * Source: kubernetes `pkg/registry/core/service`, `pkg/apis/core/{v1,validation}`.
 */
export function services({ cluster, serviceRange }: Surroundings): Behaviour<Service> {
  const pools = new ServicePools(cluster, serviceRange);
  return {
    setDefaults(service) {
      setSpecDefaults(specOf(service));
      if (service.spec?.type !== 'LoadBalancer') return;
      for (const ingress of service.status?.loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= 'VIP';
    },

    prepareForCreate(service, context) {
      agreeOnAddresses(specOf(service), undefined);
      new ServiceAllocation(pools, service, context).ofCreate();
      service.status = { loadBalancer: {} };
      dropUselessPolicy(specOf(service));
    },
    validate: (service) => serviceErrors(service, undefined),
    warningsOnCreate: serviceWarnings,

    prepareForUpdate(service, old, context) {
      const spec = specOf(service);
      const before = old.spec ?? {};
      keepAllocated(spec, before);
      agreeOnAddresses(spec, before);
      new ServiceAllocation(pools, service, context).ofUpdate(before);
      keepStatus(service, old);
      dropFieldsOfOldType(spec, before);
      dropUselessPolicy(spec);
      if (spec.type !== 'LoadBalancer') service.status = { ...service.status, loadBalancer: {} };
    },
    validateUpdate: serviceUpdateErrors,
    warningsOnUpdate: serviceWarnings,

    prepareForStatusUpdate: keepSpec,
    validateStatusUpdate: ({ status, spec }, old) =>
      loadBalancerErrors(status?.loadBalancer ?? {}, old.status?.loadBalancer ?? {}, spec?.type === 'LoadBalancer'),

    nameProblems: labelNames,
    allowsCreateOnUpdate: true,
    fieldLabels: fieldLabels(['spec.clusterIP', 'spec.type']),
  };
}

function setSpecDefaults(spec: ServiceSpec): void {
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: 10_800 } };
  }
  spec.type ||= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP';
    port.targetPort ||= port.port;
  }
  if (isReachableFromOutside(spec)) spec.externalTrafficPolicy ||= 'Cluster';
  if (['ClusterIP', 'LoadBalancer', 'NodePort'].includes(spec.type)) spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
}

/** No reader gets to see it. */
function dropUselessPolicy(spec: ServiceSpec): void {
  if (spec.type === 'ExternalName') delete spec.internalTrafficPolicy;
}

function serviceWarnings({ metadata, spec = {} }: Service): readonly string[] {
  const hints = 'service.kubernetes.io/topology-aware-hints';
  const { clusterIP = '', clusterIPs = [], externalIPs = [], loadBalancerIP = '', loadBalancerSourceRanges = [], type } = spec;
  const isHeadless = type === 'ClusterIP' && clusterIP === 'None';
  const isNamed = type === 'ExternalName';
  return [
    ...(metadata.annotations?.[hints] === undefined
      ? []
      : [`annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`]),
    ...(clusterIP === '' || clusterIP === 'None' ? [] : clusterIPs.flatMap((ip, index) => ipWarnings(ip, `spec.clusterIPs[${index}]`))),
    ...(isHeadless ? headlessWarnings(spec) : []),
    ...externalIPs.flatMap((ip, index) => ipWarnings(ip, `spec.externalIPs[${index}]`)),
    ...(externalIPs.length > 0 && !isHeadless && !isNamed
      ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
      : []),
    ...ipWarnings(loadBalancerIP, 'spec.loadBalancerIP'),
    ...loadBalancerSourceRanges.flatMap((range, index) => cidrWarnings(range, `spec.loadBalancerSourceRanges[${index}]`)),
    ...(isNamed && externalIPs.length > 0 ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : []),
    ...(!isNamed && spec.externalName ? ['spec.externalName is ignored when spec.type is not "ExternalName"'] : []),
  ];
}

function headlessWarnings({ loadBalancerIP, externalIPs = [], sessionAffinity }: ServiceSpec): readonly string[] {
  return [
    ...(loadBalancerIP ? ['spec.loadBalancerIP is ignored for headless services'] : []),
    ...(externalIPs.length > 0 ? ['spec.externalIPs is ignored for headless services'] : []),
    ...(sessionAffinity === 'None' ? [] : ['spec.SessionAffinity is ignored for headless services']),
  ];
}
