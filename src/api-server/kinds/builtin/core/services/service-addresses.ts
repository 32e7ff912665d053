import { duplicate, type FieldError, invalid, notSupported, required } from '@keelson/kubernetes/apimachinery';
import { type Errors, ipErrors, parseIp, those } from '../../checks/index.js';
import type { ServiceSpec } from '../../drafts.js';
import { isHeadless, needsAddress, sameTexts } from './service-spec.js';

const FAMILIES = ['IPv4', 'IPv6'];
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const ADDRESSES = 'spec.clusterIPs';
const FAMILY_POLICY = 'spec.ipFamilyPolicy';

/** Source: kubernetes `pkg/apis/core/validation` (`ValidateServiceClusterIPsRelatedFields`). */
export function addressErrors(spec: ServiceSpec, old: ServiceSpec | undefined): Errors {
  if (!needsAddress(spec)) return [];
  const { ipFamilies, ipFamilyPolicy } = spec;
  const errors: FieldError[] = [...agreementErrors(spec), ...familyErrors(ipFamilies ?? [])];
  if (ipFamilyPolicy !== undefined && !POLICIES.includes(ipFamilyPolicy))
    errors.push(notSupported(FAMILY_POLICY, ipFamilyPolicy, POLICIES));
  return [...errors, ...listErrors(spec, old)];
}

function agreementErrors({ clusterIP = '', clusterIPs }: ServiceSpec): Errors {
  const [first] = clusterIPs ?? [];
  if (clusterIP === '')
    return first === undefined ? [] : [invalid(ADDRESSES, clusterIPs, 'must be empty when `clusterIP` is not specified')];
  if (first === undefined) return [required(ADDRESSES)];
  return first === clusterIP ? [] : [invalid(ADDRESSES, clusterIPs, 'first value must match `clusterIP`')];
}

function familyErrors(families: readonly string[]): Errors {
  return families.flatMap((family, index) =>
    those(
      !FAMILIES.includes(family) && notSupported(`spec.ipFamilies[${index}]`, family, FAMILIES),
      families.indexOf(family) < index && duplicate(`spec.ipFamilies[${index}]`, family),
    ),
  );
}

function listErrors(spec: ServiceSpec, old: ServiceSpec | undefined): Errors {
  const addresses = spec.clusterIPs ?? [];
  const isMisplaced = addresses[0] === 'None' && addresses.length > 1;
  const bad = addresses.flatMap((address, index) => {
    const isOld = (index === 0 && address === 'None') || old?.clusterIPs?.includes(address) === true;
    return isOld ? [] : ipErrors(address, `${ADDRESSES}[${index}]`);
  });
  const errors = [
    ...(isMisplaced ? [invalid(ADDRESSES, addresses, "'None' must be the first and only value")] : []),
    ...bad,
    ...(addresses.length > 2 ? [invalid(ADDRESSES, addresses, 'may only hold up to 2 values')] : []),
  ];
  // The rest would speak of what is not an address.
  if (isMisplaced || bad.length > 0) return errors;
  const isTwice = addresses.length > 1 && new Set(addresses.map(familyOf)).size < 2;
  return those(
    errors,
    isTwice && invalid(ADDRESSES, addresses, 'may specify no more than one IP for each IP family'),
    !isHeadless(spec) && addresses.flatMap((address, index) => wrongFamily(address, index, spec.ipFamilies?.[index])),
  );
}

function wrongFamily(address: string, index: number, expected: string | undefined): Errors {
  if (expected === undefined || !FAMILIES.includes(expected) || familyOf(address) === expected) return [];
  return [invalid(`${ADDRESSES}[${index}]`, address, `expected an ${expected} value as indicated by \`ipFamilies[${index}]\``)];
}

function familyOf(address: string): 'IPv4' | 'IPv6' {
  return parseIp(address)?.family === 6 ? 'IPv6' : 'IPv4';
}

/**
 * Fills in the families of the addresses on a cluster that has IPv4 only.
 *
 * @returns why it cannot be. Source: kubernetes `pkg/registry/core/service/storage/alloc.go` (`initIPFamilyFields`).
 */
export function setFamilies(spec: ServiceSpec, old: ServiceSpec | undefined): Errors {
  if (!needsAddress(spec) || isUnchangedPreference(spec, old)) return [];
  const isFree = spec.clusterIP === 'None' && Object.keys(spec.selector ?? {}).length === 0;
  spec.ipFamilyPolicy ??= old?.ipFamilyPolicy ?? (isFree ? 'RequireDualStack' : 'SingleStack');
  const wrong = addressErrors(spec, old);
  if (wrong.length > 0) return wrong;
  const conflicts = [...(old === undefined ? [] : shrink(spec, old)), ...stackErrors(spec), ...inferFamilies(spec)];
  if (conflicts.length > 0) return conflicts;
  if (isFree) {
    setFamiliesWithoutSelector(spec);
    return [];
  }
  const foreign = foreignErrors(spec);
  if (foreign.length === 0 && (spec.ipFamilies ?? []).length === 0) spec.ipFamilies = ['IPv4'];
  return foreign;
}

/** A Service that only prefers two stacks is left as it is. */
function isUnchangedPreference(spec: ServiceSpec, old: ServiceSpec | undefined): boolean {
  if (old === undefined || spec.ipFamilyPolicy !== 'PreferDualStack' || spec.type !== old.type) return false;
  const preferred = old.ipFamilyPolicy === undefined || old.ipFamilyPolicy === 'PreferDualStack';
  return preferred && sameTexts(spec.clusterIPs, old.clusterIPs) && sameTexts(spec.ipFamilies, old.ipFamilies);
}

/** From two stacks to one. */
function shrink(spec: ServiceSpec, old: ServiceSpec): Errors {
  const { ipFamilyPolicy: policy, clusterIPs = [], ipFamilies = [] } = spec;
  if (policy === 'SingleStack') {
    if (sameTexts(clusterIPs, old.clusterIPs) && clusterIPs.length > 1) spec.clusterIPs = clusterIPs.slice(0, 1);
    if (sameTexts(ipFamilies, old.ipFamilies) && ipFamilies.length > 1) spec.ipFamilies = ipFamilies.slice(0, 1);
    return [];
  }
  const isReduced = (list: readonly string[], before: readonly string[] | undefined): boolean =>
    list.length > 0 && list.length < (before ?? []).length;
  return those(
    isReduced(clusterIPs, old.clusterIPs) && invalid(FAMILY_POLICY, policy, "must be 'SingleStack' to release the secondary cluster IP"),
    isReduced(ipFamilies, old.ipFamilies) && invalid(FAMILY_POLICY, policy, "must be 'SingleStack' to release the secondary IP family"),
  );
}

function stackErrors({ ipFamilyPolicy: policy, clusterIPs, ipFamilies }: ServiceSpec): Errors {
  if (policy !== 'SingleStack') return [];
  const text = (what: string): string => `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
  return [
    ...(clusterIPs?.length === 2 ? [invalid(FAMILY_POLICY, policy, text('cluster IPs'))] : []),
    ...(ipFamilies?.length === 2 ? [invalid(FAMILY_POLICY, policy, text('IP families'))] : []),
  ];
}

function inferFamilies(spec: ServiceSpec): Errors {
  const { clusterIPs = [] } = spec;
  if (clusterIPs[0] === 'None') return [];
  return clusterIPs.flatMap((address, index) => {
    const families = spec.ipFamilies ?? [];
    if (index < families.length) return [];
    const family = familyOf(address);
    if (family !== 'IPv4') return [invalid(`${ADDRESSES}[${index}]`, clusterIPs, `${family} is not configured on this cluster`)];
    spec.ipFamilies = [...families, family];
    return [];
  });
}

/** A Service without a selector may get endpoints of both families, so it has both unless the client asks for one. */
function setFamiliesWithoutSelector(spec: ServiceSpec): void {
  const [first = 'IPv4', second] = spec.ipFamilies ?? [];
  if (second !== undefined) return;
  spec.ipFamilies = spec.ipFamilyPolicy === 'SingleStack' ? [first] : [first, first === 'IPv4' ? 'IPv6' : 'IPv4'];
}

function foreignErrors({ ipFamilyPolicy: policy, ipFamilies = [] }: ServiceSpec): Errors {
  return those(
    policy === 'RequireDualStack' && invalid(FAMILY_POLICY, policy, 'this cluster is not configured for dual-stack services'),
    ipFamilies.flatMap((family, index) =>
      family === 'IPv4' ? [] : [invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')],
    ),
  );
}

/** Refuses changes of what is there once. Source: kubernetes `pkg/apis/core/validation` (`validateUpgradeDowngrade…`). */
export function changedAddressErrors(spec: ServiceSpec, old: ServiceSpec): Errors {
  if (!needsAddress(spec) || !needsAddress(old)) return [];
  const [headless, wasHeadless] = [isHeadless(spec), isHeadless(old)];
  if (headless && wasHeadless) return [];
  const addresses = spec.clusterIPs ?? [];
  const before = old.clusterIPs ?? [];
  const path = `${ADDRESSES}[0]`;
  const errors: FieldError[] = [];
  if (addresses.length === before.length) {
    for (const [index, address] of before.entries()) {
      if (address !== addresses[index]) errors.push(invalid(`${ADDRESSES}[${index}]`, addresses, 'may not change once set'));
    }
  } else if (before.length > addresses.length) {
    if (addresses.length === 0) errors.push(invalid(path, null, 'primary clusterIP can not be unset'));
    else if (addresses[0] !== before[0]) errors.push(invalid(path, addresses, 'may not change once set'));
  } else if (before.length > 0 && addresses[0] !== before[0]) {
    errors.push(invalid(path, addresses, 'may not change once set'));
  }
  return headless || wasHeadless ? errors : [...errors, ...changedFamilyErrors(spec, old)];
}

function changedFamilyErrors(spec: ServiceSpec, old: ServiceSpec): Errors {
  const families = spec.ipFamilies ?? [];
  const before = old.ipFamilies ?? [];
  const path = 'spec.ipFamilies[0]';
  if (families.length === before.length) {
    return before.filter((family, index) => family !== families[index]).map(() => invalid(path, families, 'may not change once set'));
  }
  const isChanged = families.length > 0 && before.length > 0 && families[0] !== before[0];
  return isChanged ? [invalid(path, spec.clusterIPs ?? null, 'may not change once set')] : [];
}
