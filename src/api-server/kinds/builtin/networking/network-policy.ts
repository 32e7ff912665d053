import { type FieldError, forbidden, invalid, notSupported, required } from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import {
  cidrErrors,
  cidrWarnings,
  declaredErrors,
  type Errors,
  invalidEach,
  isIn,
  labelSelectorErrors,
  parseCidr,
  portNameProblems,
  portNumber,
  those,
} from '../checks/index.js';
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort, NetworkPolicySpec } from '../drafts.js';
import { beginGenerations, countChangedSpec } from '../generation.js';

type Rules = NonNullable<NetworkPolicySpec['egress'] | NetworkPolicySpec['ingress']>;

/** Source: kubernetes `pkg/registry/networking/networkpolicy`, `pkg/apis/networking/{v1,validation}`. */
export const networkPolicies: Behaviour<NetworkPolicy> = {
  setDefaults({ spec }) {
    if (spec === undefined) return;
    for (const { ports } of rulesOf(spec)) for (const port of ports ?? []) port.protocol ??= 'TCP';
    if ((spec.policyTypes ?? []).length > 0) return;
    spec.policyTypes = (spec.egress ?? []).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
  },
  prepareForCreate: beginGenerations,
  validate: ({ spec = {} as NetworkPolicySpec }) => specErrors(spec, []),
  warningsOnCreate: rangeWarnings,
  prepareForUpdate: countChangedSpec,
  validateUpdate: ({ spec = {} as NetworkPolicySpec }, old) => specErrors(spec, rangesOf(old.spec)),
  warningsOnUpdate: rangeWarnings,
};

interface Rule {
  readonly ports?: NetworkPolicyPort[] | undefined;
  readonly peers: readonly NetworkPolicyPeer[];
  readonly path: string;
  readonly peerPath: string;
}

function rulesOf({ ingress, egress }: NetworkPolicySpec): readonly Rule[] {
  const rules = (list: Rules | null | undefined, direction: 'egress' | 'ingress', side: 'from' | 'to'): readonly Rule[] =>
    (list ?? []).map(
      (
        rule: { ports?: NetworkPolicyPort[] | undefined; from?: NetworkPolicyPeer[] | undefined; to?: NetworkPolicyPeer[] | undefined },
        index,
      ) => {
        const path = `spec.${direction}[${index}]`;
        return { ports: rule.ports, peers: rule[side] ?? [], path, peerPath: `${path}.${side}` };
      },
    );
  return [...rules(ingress, 'ingress', 'from'), ...rules(egress, 'egress', 'to')];
}

function rangesOf(spec: NetworkPolicySpec | undefined): readonly string[] {
  if (spec === undefined) return [];
  return rulesOf(spec).flatMap(({ peers }) => peers.flatMap(({ ipBlock }) => (ipBlock ? [ipBlock.cidr, ...(ipBlock.except ?? [])] : [])));
}

const TYPES = ['Ingress', 'Egress'];

function specErrors(spec: NetworkPolicySpec, known: readonly string[]): Errors {
  const types: readonly string[] = spec.policyTypes ?? [];
  const typesErrors =
    types.length > TYPES.length
      ? [invalid('spec.policyTypes', types, 'may not specify more than two policyTypes')]
      : types.flatMap((type, index) => (TYPES.includes(type) ? [] : [notSupported(`spec.policyTypes[${index}]`, type, TYPES)]));
  return those(
    labelSelectorErrors(spec.podSelector, 'spec.podSelector'),
    rulesOf(spec).flatMap(({ ports, peers, path, peerPath }) =>
      those(
        (ports ?? []).flatMap((port, index) => portErrors(port, `${path}.ports[${index}]`)),
        peers.flatMap((peer, index) => peerErrors(peer, `${peerPath}[${index}]`, known)),
      ),
    ),
    typesErrors,
  );
}

const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];

function portErrors({ protocol, port, endPort }: NetworkPolicyPort, path: string): Errors {
  const isKnown = protocol === undefined || PROTOCOLS.includes(protocol);
  const errors: FieldError[] = isKnown ? [] : [notSupported(`${path}.protocol`, protocol, PROTOCOLS)];
  const field = `${path}.endPort`;
  if (port === undefined)
    return endPort === undefined ? errors : [...errors, invalid(field, endPort, 'may not be specified when `port` is not specified')];
  if (typeof port === 'string') {
    if (endPort !== undefined) errors.push(invalid(field, endPort, 'may not be specified when `port` is non-numeric'));
    return [...errors, ...invalidEach(`${path}.port`, port, portNameProblems(port))];
  }
  errors.push(...portNumber(port, `${path}.port`));
  if (endPort === undefined) return errors;
  if (endPort < port) errors.push(invalid(field, endPort, 'must be greater than or equal to `port`'));
  return [...errors, ...portNumber(endPort, field)];
}

function peerErrors({ podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer, path: string, known: readonly string[]): Errors {
  const hasSelector = podSelector !== undefined || namespaceSelector !== undefined;
  return those(
    labelSelectorErrors(podSelector, `${path}.podSelector`),
    labelSelectorErrors(namespaceSelector, `${path}.namespaceSelector`),
    ipBlock !== undefined && blockErrors(ipBlock, `${path}.ipBlock`, known),
    !(hasSelector || ipBlock !== undefined) && required(path, 'must specify a peer'),
    hasSelector && ipBlock !== undefined && forbidden(path, 'may not specify both ipBlock and another peer'),
  );
}

function blockErrors({ cidr, except }: NonNullable<NetworkPolicyPeer['ipBlock']>, path: string, known: readonly string[]): Errors {
  if (cidr === '') return declaredErrors([required(`${path}.cidr`)]);
  const check = (text: string, field: string): Errors => (known.includes(text) ? [] : cidrErrors(text, field));
  const range = parseCidr(cidr);
  const errors = check(cidr, `${path}.cidr`);
  if (range === undefined) return errors;
  const exceptErrors = (except ?? []).flatMap((text, index) => {
    const field = `${path}.except[${index}]`;
    const inner = parseCidr(text);
    const isInside =
      inner === undefined || (isIn(range, { family: inner.family, value: inner.first }) && range.prefixLength < inner.prefixLength);
    return [...check(text, field), ...(isInside ? [] : [invalid(field, text, 'must be a strict subset of `cidr`')])];
  });
  return [...errors, ...exceptErrors];
}

function rangeWarnings({ spec }: NetworkPolicy): readonly string[] {
  if (spec === undefined) return [];
  return rulesOf(spec).flatMap(({ peers, peerPath }) =>
    peers.flatMap(({ ipBlock }, index) => {
      if (ipBlock === undefined) return [];
      const path = `${peerPath}[${index}].ipBlock`;
      const inner = (ipBlock.except ?? []).flatMap((text, position) => cidrWarnings(text, `${path}.except[${position}]`));
      return [...cidrWarnings(ipBlock.cidr, `${path}.cidr`), ...inner];
    }),
  );
}
