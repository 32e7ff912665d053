import { dns1123SubdomainProblems, notSupported, required } from '@keelson/kubernetes/apimachinery';
import type { Behaviour, Surroundings } from '../../behaviour.js';
import {
  dnsLabel,
  type EndpointIpRules,
  type Errors,
  endpointIpErrors,
  invalidEach,
  ipErrors,
  ipWarnings,
  labelName,
  portNumber,
  those,
} from '../../checks/index.js';
import type { EndpointAddress, EndpointSubset, Endpoints } from '../../drafts.js';
import { semanticEqual } from '../../semantic-equal.js';

/** Source: kubernetes `pkg/registry/core/endpoint`, `pkg/apis/core/{v1,validation}`. */
export const endpoints = ({ hasLoopbackPods = false }: Pick<Surroundings, 'hasLoopbackPods'> = {}): Behaviour<Endpoints> => ({
  setDefaults({ subsets }) {
    for (const { ports } of subsets ?? []) for (const port of ports ?? []) port.protocol ||= 'TCP';
  },
  validate: ({ subsets }) => subsetsErrors(subsets ?? [], { allowsLoopback: hasLoopbackPods }),
  warningsOnCreate: addressWarnings,
  prepareForUpdate() {
    // It has no status to keep.
  },
  // A value that an older server has let through may stay.
  validateUpdate: ({ subsets }, old) =>
    semanticEqual(subsets, old.subsets) ? [] : subsetsErrors(subsets ?? [], { allowsLoopback: hasLoopbackPods }),
  warningsOnUpdate: addressWarnings,
  revalidatesMetadata: true,
  allowsCreateOnUpdate: true,
});

function subsetsErrors(subsets: readonly EndpointSubset[], rules: EndpointIpRules): Errors {
  return subsets.flatMap(({ addresses, notReadyAddresses, ports }, index) => {
    const path = `subsets[${index}]`;
    const isEmpty = (addresses ?? []).length === 0 && (notReadyAddresses ?? []).length === 0;
    const isNamed = (ports ?? []).length > 1;
    return those(
      isEmpty && required(path, 'must specify `addresses` or `notReadyAddresses`'),
      (addresses ?? []).flatMap((address, position) => addressErrors(address, `${path}.addresses[${position}]`, rules)),
      (notReadyAddresses ?? []).flatMap((address, position) => addressErrors(address, `${path}.notReadyAddresses[${position}]`, rules)),
      (ports ?? []).flatMap((port, position) => portErrors(port, `${path}.ports[${position}]`, isNamed)),
    );
  });
}

function addressErrors({ ip, hostname = '', nodeName }: EndpointAddress, path: string, rules: EndpointIpRules): Errors {
  return those(
    ipErrors(ip, `${path}.ip`),
    hostname !== '' && dnsLabel(hostname, `${path}.hostname`),
    nodeName !== undefined && invalidEach(`${path}.nodeName`, nodeName, dns1123SubdomainProblems(nodeName)),
    endpointIpErrors(ip, `${path}.ip`, rules),
  );
}

export const PORT_PROTOCOLS: readonly string[] = ['SCTP', 'TCP', 'UDP'];

function portErrors(fields: NonNullable<EndpointSubset['ports']>[number], path: string, isNamed: boolean): Errors {
  const { name = '', port, appProtocol } = fields;
  const protocol: string = fields.protocol ?? '';
  const nameErrors = name === '' ? (isNamed ? [required(`${path}.name`)] : []) : dnsLabel(name, `${path}.name`);
  const protocolErrors = protocol === '' ? [required(`${path}.protocol`)] : [notSupported(`${path}.protocol`, protocol, PORT_PROTOCOLS)];
  return those(
    nameErrors,
    portNumber(port, `${path}.port`),
    !PORT_PROTOCOLS.includes(protocol) && protocolErrors,
    appProtocol !== undefined && labelName(appProtocol, `${path}.appProtocol`),
  );
}

function addressWarnings({ metadata, subsets }: Endpoints): readonly string[] {
  if (metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return [];
  return (subsets ?? []).flatMap(({ addresses, notReadyAddresses }, index) => [
    ...(addresses ?? []).flatMap(({ ip }, position) => ipWarnings(ip, `subsets[${index}].addresses[${position}].ip`)),
    ...(notReadyAddresses ?? []).flatMap(({ ip }, position) => ipWarnings(ip, `subsets[${index}].notReadyAddresses[${position}].ip`)),
  ]);
}
