import { isIP } from 'node:net';
import { compareUtf8 } from '@keelson/kubernetes/apimachinery';
import type { EndpointSlice, Service } from '@keelson/kubernetes/kinds';
import { SERVICE_NAME } from '../services/index.js';

/** A name of the cluster's DNS, `[hostname.]service.namespace.svc.cluster.local`, and the addresses behind it. */
export interface ClusterName {
  readonly namespace: string;
  readonly service: string;
  /** The name is that of an endpoint of the Service: a Pod of a StatefulSet. */
  readonly hostname?: string | undefined;
  /** At least one. */
  readonly addresses: readonly string[];
}

export interface ClusterNamesOf {
  readonly services: readonly Service[];
  readonly slices: readonly EndpointSlice[];
  /** The host of the API server. The name `kubernetes.default` leads there: nothing listens at the ClusterIP of that Service. */
  readonly apiServer: string;
}

/**
 * The names of Services and of endpoints that have a hostname, by namespace and name. A Service has the name of its ClusterIP, a headless one that of all its ready
 * endpoints. A Service of type ExternalName has none: it stands for another name, and a hosts file has addresses alone.
 *
 * Source: CoreDNS 1.12 `plugin/kubernetes/kubernetes.go` (`findServices`) and `object/endpoint.go` (`endpointsliceReady`).
 */
export function clusterNames({ services, slices, apiServer }: ClusterNamesOf): readonly ClusterName[] {
  const endpointsOf = new Map<string, NamedEndpoint[]>();
  for (const slice of slices) {
    const { namespace, labels = {} } = slice.metadata;
    added(endpointsOf, `${namespace}/${labels[SERVICE_NAME]}`, readyEndpoints(slice));
  }
  return services
    .flatMap((service) => {
      const { namespace, name } = service.metadata;
      return namesOfService(service, endpointsOf.get(`${namespace}/${name}`) ?? [], apiServer);
    })
    .filter(({ addresses }) => addresses.length > 0)
    .sort((left, right) => compareUtf8(keyOf(left), keyOf(right)));
}

interface NamedEndpoint {
  readonly hostname: string;
  readonly address: string;
}

function namesOfService(service: Service, endpoints: readonly NamedEndpoint[], apiServer: string): readonly ClusterName[] {
  const { name, namespace = '' } = service.metadata;
  const { clusterIP = '', clusterIPs = [clusterIP], type } = service.spec ?? {};
  if (type === 'ExternalName') return [];
  const own = { namespace, service: name };
  if (name === 'kubernetes' && namespace === 'default' && isIP(apiServer) > 0) return [{ ...own, addresses: [apiServer] }];
  const byHostname = new Map<string, string[]>();
  for (const { hostname, address } of endpoints) if (hostname !== '') added(byHostname, hostname, [address]);
  const isHeadless = clusterIP === '' || clusterIP === 'None';
  return [
    { ...own, addresses: isHeadless ? unique(endpoints.map(({ address }) => address)) : clusterIPs },
    ...[...byHostname].map(([hostname, addresses]) => ({ ...own, hostname, addresses: unique(addresses) })),
  ];
}

function readyEndpoints({ addressType, endpoints }: EndpointSlice): readonly NamedEndpoint[] {
  if (addressType === 'FQDN') return [];
  return (endpoints ?? []).flatMap(({ addresses: [address], conditions = {}, hostname = '' }) =>
    address === undefined || conditions.ready === false ? [] : [{ hostname, address }],
  );
}

function added<T>(lists: Map<string, T[]>, key: string, values: readonly T[]): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [...values]);
  else list.push(...values);
}

const unique = (addresses: readonly string[]): readonly string[] => [...new Set(addresses)];
const keyOf = ({ namespace, service, hostname = '' }: ClusterName): string => `${namespace}/${service}/${hostname}`;
