import { duplicate, type FieldError, forbidden, invalid, notSupported, required, validateLabels } from '@keelson/kubernetes/apimachinery';
import {
  cidrErrors,
  dnsLabel,
  dnsSubdomain,
  type Errors,
  endpointIpErrors,
  internalValue,
  ipErrors,
  labelName,
  mustBeOneOf,
  oneOf,
  portNumber,
  portNumberOrName,
  those,
} from '../../checks/index.js';
import type { Service, ServicePort, ServiceSpec } from '../../drafts.js';
import { PORT_PROTOCOLS } from './endpoints.js';
import { addressErrors, changedAddressErrors } from './service-addresses.js';
import { isHeadless, isReachableFromOutside, needsHealthCheck } from './service-spec.js';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const TRAFFIC_POLICIES = ['Cluster', 'Local'];
const DISTRIBUTIONS = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const HINTS = 'service.kubernetes.io/topology-aware-hints';
const MODE = 'service.kubernetes.io/topology-mode';
const SOURCE_RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';

/** Source: kubernetes `pkg/apis/core/validation` (`validateService`). */
export function serviceErrors(service: Service, old: Service | undefined): Errors {
  const { spec = {} } = service;
  const hasPorts = (spec.ports ?? []).length > 0;
  return those(
    topologyErrors(service),
    !(hasPorts || isHeadless(spec) || spec.type === 'ExternalName') && required('spec.ports'),
    typeErrors(spec),
    portsErrors(spec.ports ?? []),
    spec.selector !== undefined && validateLabels(spec.selector, 'spec.selector'),
    affinityErrors(spec),
    addressErrors(spec, old?.spec),
    externalAddressErrors(spec.externalIPs ?? [], old?.spec?.externalIPs ?? []),
    mustBeOneOf(TYPES)(spec.type, 'spec.type'),
    doublePortErrors(spec),
    sourceRangeErrors(service, old),
    loadBalancerErrors(spec),
    trafficErrors(spec),
  );
}

/** Source: as above (`ValidateServiceUpdate`). */
export function serviceUpdateErrors(service: Service, old: Service): Errors {
  const { spec = {} } = service;
  const { spec: before = {} } = old;
  const isBalanced = spec.type === 'LoadBalancer' && before.type === 'LoadBalancer';
  const isMoved = needsHealthCheck(spec) && needsHealthCheck(before) && spec.healthCheckNodePort !== before.healthCheckNodePort;
  return those(
    changedAddressErrors(spec, before),
    isBalanced &&
      spec.loadBalancerClass !== before.loadBalancerClass &&
      invalid('spec.loadBalancerClass', spec.loadBalancerClass ?? null, 'may not change once set'),
    classErrors(spec),
    isMoved && forbidden('spec.healthCheckNodePort', 'field is immutable'),
    serviceErrors(service, old),
  );
}

function topologyErrors({ metadata: { annotations = {} } }: Service): Errors {
  const [hints, mode] = [annotations[HINTS], annotations[MODE]];
  if (hints === undefined || mode === undefined || hints === mode) return [];
  return [invalid(`metadata.annotations[${MODE}]`, mode, `must match annotations[${HINTS}] when both are specified`)];
}

function typeErrors(spec: ServiceSpec): Errors {
  const { type, clusterIPs, ipFamilies, ipFamilyPolicy } = spec;
  if (type === 'LoadBalancer' || type === 'NodePort') {
    return isHeadless(spec) ? [invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)] : [];
  }
  if (type !== 'ExternalName') return [];
  const text = 'may not be set for ExternalName services';
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  return those(
    (clusterIPs ?? []).length > 0 && forbidden('spec.clusterIPs', text),
    (ipFamilies ?? []).length > 0 && forbidden('spec.ipFamilies', text),
    ipFamilyPolicy !== undefined && forbidden('spec.ipFamilyPolicy', text),
    name === '' ? [required('spec.externalName')] : dnsSubdomain(name, 'spec.externalName'),
  );
}

function portsErrors(ports: readonly ServicePort[]): Errors {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const path = `spec.ports[${index}]`;
    const { name = '', appProtocol, targetPort = 0 } = port;
    const isDouble = name !== '' && names.has(name);
    names.add(name);
    const nameErrors = name === '' ? (ports.length > 1 ? [required(`${path}.name`)] : []) : dnsLabel(name, `${path}.name`);
    return those(
      nameErrors,
      isDouble && duplicate(`${path}.name`, name),
      portNumber(port.port, `${path}.port`),
      mustBeOneOf(PORT_PROTOCOLS)(port.protocol, `${path}.protocol`),
      portNumberOrName(targetPort, `${path}.targetPort`),
      appProtocol !== undefined && labelName(appProtocol, `${path}.appProtocol`),
    );
  });
}

function affinityErrors({ sessionAffinity, sessionAffinityConfig }: ServiceSpec): Errors {
  const path = 'spec.sessionAffinityConfig';
  const errors = mustBeOneOf(['ClientIP', 'None'])(sessionAffinity, 'spec.sessionAffinity');
  if (sessionAffinity === 'None') {
    return sessionAffinityConfig === undefined ? errors : [...errors, forbidden(path, 'must not be set when session affinity is None')];
  }
  if (sessionAffinity !== 'ClientIP') return errors;
  const text = 'when session affinity type is ClientIP';
  if (sessionAffinityConfig === undefined) return [...errors, required(path, text)];
  if (sessionAffinityConfig.clientIP === undefined) return [...errors, required(`${path}.clientIP`, text)];
  const { timeoutSeconds } = sessionAffinityConfig.clientIP;
  const field = `${path}.clientIP.timeoutSeconds`;
  if (timeoutSeconds === undefined) return [...errors, required(field, text)];
  const isInRange = timeoutSeconds > 0 && timeoutSeconds <= 86_400;
  return isInRange ? errors : [...errors, invalid(field, timeoutSeconds, 'must be greater than 0 and less than 86400')];
}

function externalAddressErrors(addresses: readonly string[], old: readonly string[]): Errors {
  return addresses.flatMap((address, index) => {
    const path = `spec.externalIPs[${index}]`;
    const errors = old.includes(address) ? [] : ipErrors(address, path);
    return errors.length > 0 ? errors : endpointIpErrors(address, path);
  });
}

function doublePortErrors({ type, ports = [] }: ServiceSpec): Errors {
  const errors: FieldError[] = [];
  const report = (isBad: (port: ServicePort, index: number) => boolean, error: (port: ServicePort, path: string) => FieldError): void => {
    for (const [index, port] of ports.entries()) if (isBad(port, index)) errors.push(error(port, `spec.ports[${index}]`));
  };
  const isBefore = (index: number, isSame: (other: ServicePort) => boolean): boolean => ports.slice(0, index).some(isSame);
  const text = "may not be used when `type` is 'ClusterIP'";
  if (type === 'ClusterIP')
    report(
      ({ nodePort = 0 }) => nodePort !== 0,
      (_, path) => forbidden(`${path}.nodePort`, text),
    );
  report(
    ({ protocol, nodePort = 0 }, index) =>
      nodePort !== 0 && isBefore(index, (other) => other.protocol === protocol && other.nodePort === nodePort),
    ({ nodePort }, path) => duplicate(`${path}.nodePort`, nodePort),
  );
  report(
    ({ protocol, port }, index) => isBefore(index, (other) => other.protocol === protocol && other.port === port),
    ({ protocol, port }, path) => duplicate(path, internalValue('core/v1.ServicePort', { protocol, port })),
  );
  return errors;
}

function sourceRangeErrors({ metadata, spec = {} }: Service, old: Service | undefined): Errors {
  const ranges = spec.loadBalancerSourceRanges ?? [];
  const text = "may only be used when `type` is 'LoadBalancer'";
  const isBalanced = spec.type === 'LoadBalancer';
  if (ranges.length > 0) {
    const known = (old?.spec?.loadBalancerSourceRanges ?? []).map((range) => range.trim());
    const path = 'spec.LoadBalancerSourceRanges';
    const bad = ranges.flatMap((range, index) => (known.includes(range.trim()) ? [] : cidrErrors(range.trim(), `${path}[${index}]`)));
    return [...(isBalanced ? [] : [forbidden(path, text)]), ...bad];
  }
  const annotation = metadata.annotations?.[SOURCE_RANGES];
  if (annotation === undefined) return [];
  const path = `metadata.annotations[${SOURCE_RANGES}]`;
  const isKnown = annotation.trim() === '' || old?.metadata.annotations?.[SOURCE_RANGES] === annotation;
  const bad = isKnown ? [] : annotation.split(',').flatMap((range) => cidrErrors(range.trim(), path));
  return [...(isBalanced ? [] : [forbidden(path, text)]), ...bad];
}

function loadBalancerErrors(spec: ServiceSpec): Errors {
  const { type, allocateLoadBalancerNodePorts: allocates } = spec;
  const isOther = allocates !== undefined && type !== 'LoadBalancer';
  return those(
    isOther && forbidden('spec.allocateLoadBalancerNodePorts', "may only be used when `type` is 'LoadBalancer'"),
    type === 'LoadBalancer' && allocates === undefined && required('allocateLoadBalancerNodePorts'),
    classErrors(spec),
  );
}

function classErrors({ type, loadBalancerClass }: ServiceSpec): Errors {
  const path = 'spec.loadBalancerClass';
  if (loadBalancerClass === undefined) return [];
  return type === 'LoadBalancer' ? labelName(loadBalancerClass, path) : [forbidden(path, "may only be used when `type` is 'LoadBalancer'")];
}

function trafficErrors(spec: ServiceSpec): Errors {
  const { type, externalTrafficPolicy, internalTrafficPolicy, trafficDistribution: distribution } = spec;
  const isKnownType = type !== undefined && type !== 'ExternalName' && TYPES.includes(type);
  const external: string = externalTrafficPolicy ?? '';
  const externalErrors = isReachableFromOutside(spec)
    ? mustBeOneOf(TRAFFIC_POLICIES)(external, 'spec.externalTrafficPolicy')
    : external === ''
      ? []
      : [invalid('spec.externalTrafficPolicy', external, 'may only be set for externally-accessible services')];
  return those(
    externalErrors,
    healthCheckErrors(spec),
    isKnownType && internalTrafficPolicy === undefined && required('spec.internalTrafficPolicy'),
    oneOf(TRAFFIC_POLICIES)(internalTrafficPolicy, 'spec.internalTrafficPolicy'),
    !(distribution === undefined || DISTRIBUTIONS.includes(distribution)) &&
      notSupported('spec.trafficDistribution', distribution, DISTRIBUTIONS),
  );
}

function healthCheckErrors(spec: ServiceSpec): Errors {
  const path = 'spec.healthCheckNodePort';
  const { healthCheckNodePort: port = 0 } = spec;
  if (needsHealthCheck(spec)) return port === 0 ? [required(path)] : portNumber(port, path);
  const text = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return port === 0 ? [] : [invalid(path, port, text)];
}
