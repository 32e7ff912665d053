import type {
  Endpoint,
  EndpointSlice,
  Endpoints,
  Ingress,
  IngressClass,
  IPAddress,
  NetworkPolicy,
  Service,
  ServiceCIDR,
} from '@keelson/kubernetes/kinds';
import type { TableConvertor } from '../../contract/index.js';
import { table } from './table.js';
import { labelsText, NONE, orNone, selectorText, UNSET, withMore } from './texts.js';

const MOST = 3;

export const services: TableConvertor = table<Service>(
  ['Name', 'Type', 'Cluster-IP', 'External-IP', 'Port(s)', 'Age', 'Selector*'],
  (service, moment) => [
    service.metadata.name,
    service.spec?.type ?? '',
    service.spec?.clusterIPs?.[0] ?? NONE,
    externalText(service),
    orNone(service.spec?.ports?.map(portText).join(',')),
    moment.age(service),
    labelsText(service.spec?.selector),
  ],
);

function portText({ port, nodePort = 0, protocol }: NonNullable<NonNullable<Service['spec']>['ports']>[number]): string {
  return nodePort > 0 ? `${port}:${nodePort}/${protocol ?? ''}` : `${port}/${protocol ?? ''}`;
}

function externalText({ spec, status }: Service): string {
  const ips = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return orNone(ips.join(','));
    case 'LoadBalancer': {
      const addresses = [...balancerAddresses(status?.loadBalancer?.ingress), ...ips];
      return addresses.length === 0 ? '<pending>' : addresses.join(',');
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

interface BalancerAddress {
  readonly ip?: string | undefined;
  readonly hostname?: string | undefined;
}

function balancerAddresses(ingress: readonly BalancerAddress[] = []): readonly string[] {
  const found = ingress.map(({ ip, hostname }) => (ip ? ip : (hostname ?? ''))).filter((address) => address !== '');
  return [...new Set(found)].sort();
}

export const endpoints: TableConvertor = table<Endpoints>(['Name', 'Endpoints', 'Age'], (object, moment) => [
  object.metadata.name,
  subsetsText(object),
  moment.age(object),
]);

function subsetsText({ subsets = [] }: Endpoints): string {
  if (subsets.length === 0) return NONE;
  const list = subsets.flatMap(({ ports = [], addresses = [] }) => {
    const ips = addresses.map(({ ip }) => ip);
    return ports.length === 0 ? ips : ports.flatMap(({ port }) => ips.map((ip) => hostPort(ip, port)));
  });
  return withMore(list, MOST);
}

function hostPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

export const endpointSlices: TableConvertor = table<EndpointSlice>(
  ['Name', 'AddressType', 'Ports', 'Endpoints', 'Age'],
  (slice, moment) => {
    // Go writes null for a list that is not set.
    const { ports, endpoints: list } = slice as { ports?: EndpointSlice['ports'] | null; endpoints: readonly Endpoint[] | null };
    const addresses = (list ?? []).flatMap((endpoint) => endpoint.addresses);
    return [
      slice.metadata.name,
      slice.addressType,
      withMore((ports ?? []).map(slicePortText), MOST) || UNSET,
      withMore(addresses, MOST) || UNSET,
      moment.age(slice),
    ];
  },
);

function slicePortText({ port, name }: NonNullable<EndpointSlice['ports']>[number]): string {
  return port === undefined ? (name ?? '*') : String(port);
}

export const ingresses: TableConvertor = table<Ingress>(['Name', 'Class', 'Hosts', 'Address', 'Ports', 'Age'], (ingress, moment) => [
  ingress.metadata.name,
  ingress.spec?.ingressClassName ?? NONE,
  hostsText(ingress),
  balancerAddresses(ingress.status?.loadBalancer?.ingress).join(','),
  ingress.spec?.tls?.length ? '80, 443' : '80',
  moment.age(ingress),
]);

function hostsText({ spec }: Ingress): string {
  const hosts: string[] = [];
  let hasMore = false;
  // Rules without a host count among those that are not shown, but only once there are enough.
  for (const { host = '' } of spec?.rules ?? []) {
    if (hosts.length === MOST) hasMore = true;
    else if (host !== '') hosts.push(host);
  }
  if (hosts.length === 0) return '*';
  return hasMore ? `${hosts.join(',')} + ${(spec?.rules?.length ?? 0) - MOST} more...` : hosts.join(',');
}

export const ingressClasses: TableConvertor = table<IngressClass>(['Name', 'Controller', 'Parameters', 'Age'], (ingressClass, moment) => [
  ingressClass.metadata.name,
  ingressClass.spec?.controller ?? '',
  parametersText(ingressClass),
  moment.age(ingressClass),
]);

function parametersText({ spec }: IngressClass): string {
  if (spec?.parameters === undefined) return NONE;
  const { kind, apiGroup, name } = spec.parameters;
  return `${kind}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name}`;
}

export const networkPolicies: TableConvertor = table<NetworkPolicy>(['Name', 'Pod-Selector', 'Age'], (policy, moment) => [
  policy.metadata.name,
  selectorText(policy.spec?.podSelector),
  moment.age(policy),
]);

export const serviceCidrs: TableConvertor = table<ServiceCIDR>(['Name', 'CIDRs', 'Age'], (range, moment) => [
  range.metadata.name,
  range.spec?.cidrs?.join(',') ?? '',
  moment.age(range),
]);

/** The real server gives three cells for two columns: the age has none. */
export const ipAddresses: TableConvertor = table<IPAddress>(['Name', 'ParentRef'], (address, moment) => [
  address.metadata.name,
  parentText(address),
  moment.age(address),
]);

function parentText({ spec }: IPAddress): string {
  if (spec?.parentRef === undefined) return NONE;
  const { group = '', resource = '', namespace = '', name = '' } = spec.parentRef;
  const parent = `${resource}${group === '' ? '' : `.${group}`}`.toLowerCase();
  return [parent, ...(namespace === '' ? [] : [namespace]), name].join('/');
}
