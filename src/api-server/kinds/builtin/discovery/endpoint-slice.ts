import {
  dns1123SubdomainProblems,
  duplicate,
  goQuote,
  invalid,
  labelValueProblems,
  notSupported,
  required,
  tooMany,
} from '@keelson/kubernetes/apimachinery';
import type { Behaviour, Surroundings } from '../behaviour.js';
import {
  atMostItems,
  declared,
  declaredErrors,
  dnsLabel,
  type EndpointIpRules,
  type Errors,
  endpointIpErrors,
  fullDomainErrors,
  immutable,
  invalidEach,
  ipErrors,
  ipText,
  ipWarnings,
  labelName,
  mustBeOneOf,
  parseIp,
  those,
} from '../checks/index.js';
import { PORT_PROTOCOLS } from '../core/index.js';
import type { EndpointSlice } from '../drafts.js';
import { beginGenerations, countGeneration } from '../generation.js';
import { semanticEqual } from '../semantic-equal.js';

type Endpoint = NonNullable<EndpointSlice['endpoints']>[number];

const MAX_ENDPOINTS = 1_000;
const MAX_ADDRESSES = 100;
const MAX_PORTS = 20_000;
const MAX_HINTS = 8;
const CONTROLLERS = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

/** Source: kubernetes `pkg/registry/discovery/endpointslice`, `pkg/apis/discovery/{v1,validation}`. */
export const endpointSlices = ({ hasLoopbackPods = false }: Pick<Surroundings, 'hasLoopbackPods'> = {}): Behaviour<EndpointSlice> => ({
  setDefaults({ ports }) {
    for (const port of ports ?? []) {
      port.name ??= '';
      port.protocol ??= 'TCP';
    }
  },
  prepareForCreate(slice) {
    beginGenerations(slice);
    for (const endpoint of slice.endpoints ?? []) delete endpoint.deprecatedTopology;
  },
  validate: (slice) => sliceErrors(slice, undefined, { allowsLoopback: hasLoopbackPods }),
  warningsOnCreate: (slice) => [
    ...(slice.addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...addressWarnings(slice),
  ],
  prepareForUpdate(slice, old) {
    if (!semanticEqual(contentOf(slice), contentOf(old))) countGeneration(slice, old);
    if (semanticEqual(slice.endpoints, old.endpoints)) return;
    for (const endpoint of slice.endpoints ?? []) delete endpoint.deprecatedTopology;
  },
  validateUpdate: (slice, old) => [
    ...sliceErrors(slice, old, { allowsLoopback: hasLoopbackPods }),
    ...declaredErrors(immutable(slice.addressType, old.addressType, 'addressType', null)),
  ],
  warningsOnUpdate: addressWarnings,
  revalidatesMetadata: true,
});

function contentOf({ metadata: { labels }, ...content }: EndpointSlice): unknown {
  return { ...content, labels: labels ?? {} };
}

const addressTypeRule = declared(mustBeOneOf(['FQDN', 'IPv4', 'IPv6']));

function sliceErrors(slice: EndpointSlice, old: EndpointSlice | undefined, rules: EndpointIpRules): Errors {
  const errors = endpointsErrors(slice.endpoints ?? [], slice.addressType, rules);
  // A value that an older server has let through may stay.
  const isTolerated = errors.length > 0 && old !== undefined && semanticEqual(slice.endpoints, old.endpoints);
  return those(addressTypeRule(slice.addressType, 'addressType'), portsErrors(slice.ports ?? []), !isTolerated && errors);
}

function portsErrors(ports: NonNullable<EndpointSlice['ports']>): Errors {
  if (ports.length > MAX_PORTS) return [tooMany('ports', ports.length, MAX_PORTS)];
  const names = ports.map(({ name = '' }) => name);
  return ports.flatMap((port, index): Errors => {
    const path = `ports[${index}]`;
    const { name = '', appProtocol } = port;
    const protocol: string | undefined = port.protocol;
    return those(
      name !== '' && dnsLabel(name, `${path}.name`),
      names.indexOf(name) < index && duplicate(`${path}.name`, name),
      protocol === undefined && required(`${path}.protocol`),
      !(protocol === undefined || PORT_PROTOCOLS.includes(protocol)) && notSupported(`${path}.protocol`, protocol, PORT_PROTOCOLS),
      appProtocol !== undefined && labelName(appProtocol, `${path}.appProtocol`),
    );
  });
}

function endpointsErrors(endpoints: readonly Endpoint[], type: string, rules: EndpointIpRules): Errors {
  if (endpoints.length > MAX_ENDPOINTS) return [tooMany('endpoints', endpoints.length, MAX_ENDPOINTS)];
  return endpoints.flatMap(({ addresses, nodeName, hostname, hints }, index): Errors => {
    const path = `endpoints[${index}]`;
    const list: readonly string[] = addresses ?? [];
    return those(
      declaredErrors(those(list.length === 0 && required(`${path}.addresses`), atMostItems(MAX_ADDRESSES)(list, `${path}.addresses`))),
      list.flatMap((address, position) => addressErrors(address, { list: `${path}.addresses`, position }, { type, rules })),
      nodeName !== undefined && invalidEach(`${path}.nodeName`, nodeName, dns1123SubdomainProblems(nodeName)),
      hostname !== undefined && dnsLabel(hostname, `${path}.hostname`),
      hints !== undefined && hintErrors(hints, `${path}.hints`),
    );
  });
}

function addressErrors(
  address: string,
  { list, position }: { readonly list: string; readonly position: number },
  { type, rules }: { readonly type: string; readonly rules: EndpointIpRules },
): Errors {
  const field = `${list}[${position}]`;
  if (type === 'FQDN') return fullDomainErrors(address, field);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const errors = type === 'IPv4' ? ipErrors(address, field) : canonicalErrors(address, field);
  if (errors.length > 0) return errors;
  const isOther = parseIp(address)?.family !== (type === 'IPv4' ? 4 : 6);
  // The server names the list here, and not the address.
  return [...(isOther ? [invalid(list, address, `must be an ${type} address`)] : []), ...endpointIpErrors(address, field, rules)];
}

function canonicalErrors(address: string, path: string): Errors {
  const errors = ipErrors(address, path);
  const ip = parseIp(address);
  if (errors.length > 0 || ip === undefined || ipText(ip) === address) return errors;
  return [invalid(path, address, `must be in canonical form (${goQuote(ipText(ip))})`)];
}

function hintErrors({ forZones, forNodes }: NonNullable<Endpoint['hints']>, path: string): Errors {
  const zones = (forZones ?? []).map(({ name }) => name);
  const nodes = (forNodes ?? []).map(({ name }) => name);
  if (zones.length > MAX_HINTS) return [tooMany(`${path}.forZones`, zones.length, MAX_HINTS)];
  const errors = namesErrors(zones, `${path}.forZones`, labelValueProblems);
  if (nodes.length > MAX_HINTS) return [...errors, tooMany(`${path}.forNodes`, nodes.length, MAX_HINTS)];
  return [...errors, ...namesErrors(nodes, `${path}.forNodes`, dns1123SubdomainProblems)];
}

function namesErrors(names: readonly string[], path: string, problems: (name: string) => readonly string[]): Errors {
  return names.flatMap((name, index) => {
    const field = `${path}[${index}].name`;
    return [...(names.indexOf(name) < index ? [duplicate(field, name)] : []), ...invalidEach(field, name, problems(name))];
  });
}

function addressWarnings({ metadata, endpoints }: EndpointSlice): readonly string[] {
  if (CONTROLLERS.includes(metadata.labels?.['endpointslice.kubernetes.io/managed-by'] ?? '')) return [];
  return (endpoints ?? []).flatMap(({ addresses }, index) =>
    (addresses ?? []).flatMap((address, position) => ipWarnings(address, `endpoints[${index}].addresses[${position}]`)),
  );
}
