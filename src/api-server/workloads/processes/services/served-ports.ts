import type { EndpointSlice, Service, ServicePort } from '@keelson/kubernetes/kinds';

export interface Backend {
  readonly host: string;
  readonly port: number;
}

export type Protocol = 'TCP' | 'UDP';

/** A port of a Service with an endpoint behind it. */
export interface ServedPort {
  readonly protocol: Protocol;
  /** The ClusterIP, or the address of a Node. */
  readonly address: string;
  readonly port: number;
  readonly isNodePort: boolean;
  /** At least one. */
  readonly backends: readonly Backend[];
  /** How long a client stays with its backend; undefined: each connection is on its own. */
  readonly affinityMs: number | undefined;
}

/** The default of the API. */
const AFFINITY_SECONDS = 10_800;

export interface ServedOf {
  readonly service: Service;
  readonly slices: readonly EndpointSlice[];
  /** Addresses of this machine that Nodes have, by their names. */
  readonly nodes: ReadonlyMap<string, string>;
}

/**
 * The places at which a Service is reached: its ClusterIP and, where it has NodePorts, the addresses of the Nodes; each port with a backend. Connections to all
 * others are refused, as kube-proxy rejects them. Ports of SCTP are left out: {@link unservedPorts} names them.
 *
 * Source: kubernetes `pkg/proxy/topology.go`: ready endpoints; without any, those that end and still serve.
 */
export function servedPorts(of: ServedOf): readonly ServedPort[] {
  const { clusterIP = '', type, ports = [] } = of.service.spec ?? {};
  if (clusterIP === '' || clusterIP === 'None' || type === 'ExternalName') return [];
  const all = ports.flatMap((port) => [clusterPort(of, port), ...nodePorts(of, port)]);
  return all.filter((served) => served !== undefined && served.backends.length > 0) as readonly ServedPort[];
}

/** The ports of a Service at which no process can listen: Node has no SCTP. */
export function unservedPorts({ spec: { clusterIP = '', ports = [] } = {} }: Service): readonly string[] {
  if (clusterIP === '' || clusterIP === 'None') return [];
  return ports.flatMap(({ port, protocol = 'TCP' }) => (isServed(protocol) ? [] : [`${clusterIP}:${port}/${protocol}`]));
}

function clusterPort(of: ServedOf, { name = '', port, protocol = 'TCP' }: ServicePort): ServedPort | undefined {
  if (!isServed(protocol)) return undefined;
  const address = of.service.spec?.clusterIP ?? '';
  const backends = backendsOf(of.slices, { name, protocol });
  return { protocol, address, port, isNodePort: false, backends, affinityMs: affinityOf(of.service) };
}

function nodePorts(of: ServedOf, { name = '', nodePort, protocol = 'TCP' }: ServicePort): readonly ServedPort[] {
  if (nodePort === undefined || nodePort === 0 || !isServed(protocol)) return [];
  const isLocal = of.service.spec?.externalTrafficPolicy === 'Local';
  return [...of.nodes].map(([node, address]) => {
    const backends = backendsOf(of.slices, { name, protocol, ...(isLocal && { node }) });
    return { protocol, address, port: nodePort, isNodePort: true, backends, affinityMs: affinityOf(of.service) };
  });
}

const isServed = (protocol: string): protocol is Protocol => protocol === 'TCP' || protocol === 'UDP';

function affinityOf({ spec: { sessionAffinity, sessionAffinityConfig } = {} }: Service): number | undefined {
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds ?? AFFINITY_SECONDS;
  return sessionAffinity === 'ClientIP' ? seconds * 1000 : undefined;
}

/** A port of a Service by its name, and the Node whose endpoints count alone. */
export interface PortOfService {
  readonly name: string;
  readonly protocol: Protocol;
  /** Default: endpoints of all Nodes. */
  readonly node?: string | undefined;
}

interface Candidate extends Backend {
  readonly isReady: boolean;
  readonly isStillServing: boolean;
}

/** The endpoints behind a port: ready ones; without any, those that end and still serve. */
export function backendsOf(slices: readonly EndpointSlice[], wanted: PortOfService): readonly Backend[] {
  const all = slices.filter(({ addressType }) => addressType === 'IPv4').flatMap((slice) => candidatesOf(slice, wanted));
  const ready = all.filter(({ isReady }) => isReady);
  const chosen = ready.length > 0 ? ready : all.filter(({ isStillServing }) => isStillServing);
  const byText = new Map(chosen.map(({ host, port }) => [`${host}:${port}`, { host, port }]));
  return [...byText.values()];
}

function candidatesOf({ endpoints, ports }: EndpointSlice, wanted: PortOfService): readonly Candidate[] {
  const found = (ports ?? []).find(({ name = '', protocol = 'TCP' }) => name === wanted.name && protocol === wanted.protocol);
  const port = found?.port;
  if (port === undefined) return [];
  return (endpoints ?? []).flatMap(({ addresses: [host], conditions = {}, nodeName }) => {
    if (host === undefined || (wanted.node !== undefined && wanted.node !== nodeName)) return [];
    // A condition that is not set stands for the usual case.
    const { ready: isReady = true, terminating = false } = conditions;
    const { serving = isReady } = conditions;
    return [{ host, port, isReady, isStillServing: serving && terminating }];
  });
}
