import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  labelValueProblems,
  notSupported,
  required,
} from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import {
  cidrErrors,
  cidrWarnings,
  type Errors,
  internalValue,
  labelName,
  parseCidr,
  positive,
  resourceAmountErrors,
  roundResourceList,
  those,
} from '../checks/index.js';
import type { Node, NodeStatus, Taint } from '../drafts.js';
import { fieldLabels, textAt } from '../field-labels.js';
import { keepSpec, keepStatus } from '../generation.js';
import { TAINT_EFFECTS } from './pods/index.js';

/** Source: kubernetes `pkg/registry/core/node`, `pkg/apis/core/{v1,validation}`. */
export const nodes: Behaviour<Node> = {
  setDefaults({ spec, status }) {
    if (spec !== undefined) agreeOnCidrs(spec);
    if (status === undefined) return;
    const { capacity } = status;
    if (status.allocatable === undefined && capacity !== undefined) status.allocatable = { ...capacity };
    roundResourceList(status.capacity);
    roundResourceList(status.allocatable);
  },

  // A kubelet sends its status when it registers.
  prepareForCreate({ spec, status }) {
    if (spec !== undefined) delete spec.configSource;
    if (status !== undefined) delete status.config;
  },
  validate: nodeErrors,
  warningsOnCreate: nodeWarnings,

  prepareForUpdate(node, old) {
    keepStatus(node, old);
    if (old.spec?.configSource === undefined && node.spec !== undefined) delete node.spec.configSource;
  },
  validateUpdate: (node, old) => [...nodeErrors(node), ...nodeUpdateErrors(node, old)],
  warningsOnUpdate: nodeWarnings,
  revalidatesMetadata: true,

  prepareForStatusUpdate(node, old) {
    keepSpec(node, old);
    if (old.status?.config === undefined && node.status !== undefined) delete node.status.config;
  },
  validateStatusUpdate: nodeUpdateErrors,

  fieldLabels: fieldLabels([], { 'spec.unschedulable': (node) => textAt(node, 'spec.unschedulable') || 'false' }),
};

/** The older field is the first of the newer one, and wins where they differ. */
function agreeOnCidrs(spec: NonNullable<Node['spec']>): void {
  const { podCIDR = '', podCIDRs = [] } = spec;
  const [first = ''] = podCIDRs;
  if (podCIDR !== '' && podCIDR !== first) spec.podCIDRs = [podCIDR];
  else if (podCIDR === '' && first !== '') spec.podCIDR = first;
}

function nodeErrors({ spec = {}, status = {} }: Node): Errors {
  const { capacity } = status.nodeInfo?.swap ?? {};
  return those(
    // The server looks for them in the spec, and says another path.
    taintErrors(spec.taints ?? [], 'metadata.taints'),
    resourceErrors(status),
    capacity !== undefined && positive(capacity, 'metadata.nodeSwapStatus.capacity'),
    podCidrErrors(spec.podCIDRs ?? []),
  );
}

function resourceErrors({ capacity = {}, allocatable = {} }: NodeStatus): Errors {
  return Object.entries({ capacity, allocatable }).flatMap(([field, list]) =>
    Object.entries(list).flatMap(([name, amount]) => resourceAmountErrors(name, amount, `status.${field}.${name}`)),
  );
}

function podCidrErrors(cidrs: readonly string[]): Errors {
  const path = 'spec.podCIDRs';
  const errors: FieldError[] = cidrs.flatMap((cidr, index) => cidrErrors(cidr, `${path}[${index}]`));
  if (cidrs.length < 2) return errors;
  const bad = cidrs.find((cidr) => parseCidr(cidr) === undefined);
  if (bad !== undefined) {
    const text = `Internal error: invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[${cidrs.indexOf(bad)}]: <nil> (invalid CIDR address: ${bad})`;
    errors.push({ reason: 'InternalError', field: path, message: text });
  }
  const families = new Set(cidrs.map((cidr) => parseCidr(cidr)?.family));
  if (families.size < 2 || cidrs.length > 2 || bad !== undefined) {
    errors.push(invalid(path, cidrs, 'may specify no more than one CIDR for each IP family'));
  }
  return errors;
}

function taintErrors(taints: readonly Taint[], path: string): Errors {
  const seen = new Set<string>();
  return taints.flatMap((taint, index): Errors => {
    const { key, value = '' } = taint;
    const effect: string = taint.effect;
    const field = `${path}[${index}]`;
    const problems = labelValueProblems(value);
    const id = `${effect}/${key}`;
    const isDouble = seen.has(id);
    seen.add(id);
    return those(
      labelName(key, `${field}.key`),
      problems.length !== 0 && invalid(`${field}.value`, value, problems.join(';')),
      effect === '' && required(`${field}.effect`),
      !(effect === '' || TAINT_EFFECTS.includes(effect)) && notSupported(`${field}.effect`, effect, TAINT_EFFECTS),
      isDouble && sameTaint(taint, field),
    );
  });
}

function sameTaint(taint: Taint, path: string): FieldError {
  const error = duplicate(path, internalValue('core/v1.Taint', taint));
  return { ...error, message: `${error.message}: taints must be unique by key and effect pair` };
}

function nodeUpdateErrors({ spec = {}, status = {} }: Node, { spec: old = {} }: Node): Errors {
  return those(
    resourceErrors(status),
    addressErrors(status.addresses ?? []),
    changedCidrErrors(spec.podCIDRs ?? [], old.podCIDRs ?? []),
    providerErrors(spec.providerID ?? '', old.providerID ?? ''),
    taintErrors(spec.taints ?? [], 'metadata.taints'),
    !((spec.externalID ?? '') === (old.externalID ?? '')) && forbidden('spec.externalID', 'may not be updated'),
  );
}

function providerErrors(id: string, old: string): Errors {
  if (old === '' || id === old) return [];
  return [invalid('spec.providerID', null, id === '' ? 'field cannot be cleared once set' : 'field cannot be modified once set')];
}

function addressErrors(addresses: NonNullable<NodeStatus['addresses']>): Errors {
  const seen = new Set<string>();
  return addresses.flatMap((address, index) => {
    const id = `${address.type}/${address.address}`;
    if (seen.has(id)) return [duplicate(`status.addresses[${index}]`, internalValue('core/v1.NodeAddress', address))];
    seen.add(id);
    return [];
  });
}

function changedCidrErrors(cidrs: readonly string[], old: readonly string[]): Errors {
  const refused = forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid');
  if (old.length === 0) return [];
  return old.length === cidrs.length ? old.filter((cidr, index) => cidr !== cidrs[index]).map(() => refused) : [refused];
}

function nodeWarnings({ spec = {} }: Node): readonly string[] {
  return [
    ...(spec.configSource === undefined ? [] : ['spec.configSource: the feature is removed']),
    ...((spec.externalID ?? '') === '' ? [] : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
    ...(spec.podCIDRs ?? []).flatMap((cidr, index) => cidrWarnings(cidr, `spec.podCIDRs[${index}]`)),
  ];
}
