import { type FieldError, goQuote, invalid, isCidrText, isIPText } from '@keelson/kubernetes/apimachinery';
import { type Cidr, cidrText, ipText, isIn, parseCidr, parseIp } from './ip-values.js';
import type { Errors } from './rules.js';

/** Source: apimachinery `pkg/util/validation/ip.go`, kubernetes `pkg/apis/core/validation` (`ValidateEndpointIP`). */
export function cidrErrors(text: string, path: string): Errors {
  const cidr = parseCidr(text);
  if (cidr === undefined) return [invalid(path, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')];
  if (!isCidrText(text) || /\/0[0-9]/.test(text)) return [invalid(path, text, 'must not have leading 0s in IP or prefix length')];
  if (cidr.isMapped) return [invalid(path, text, 'must not have an IPv4-mapped IPv6 address')];
  return cidr.address === cidr.first ? [] : [invalid(path, text, 'must not have bits set beyond the prefix length')];
}

export function ipErrors(text: string, path: string): Errors {
  const ip = parseIp(text);
  if (ip === undefined) return [invalid(path, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
  if (!isIPText(text)) return [invalid(path, text, 'must not have leading 0s')];
  return ip.isMapped ? [invalid(path, text, 'must not be an IPv4-mapped IPv6 address')] : [];
}

/** Warnings for spellings that are borne, or that an object still has from an older server. */
export function ipWarnings(text: string, path: string): readonly string[] {
  const ip = parseIp(text);
  if (ip === undefined) return [];
  const canonical = ipText(ip);
  if (!isIPText(text) || ip.isMapped) {
    return [`${path}: non-standard IP address ${goQuote(text)} is invalid: use ${goQuote(canonical)}`];
  }
  if (ip.family === 4 || canonical === text) return [];
  return [`${path}: IPv6 address ${goQuote(text)} should be in RFC 5952 canonical format (${goQuote(canonical)})`];
}

export function cidrWarnings(text: string, path: string): readonly string[] {
  const cidr = parseCidr(text);
  if (cidr === undefined) return [];
  const { family, address, first } = cidr;
  const canonical = cidrText(cidr);
  const warnings: string[] = [];
  if (address !== first) {
    const single = `${ipText({ family, value: address })}/${family === 4 ? 32 : 128}`;
    warnings.push(
      `${path}: CIDR value ${goQuote(text)} is ambiguous in this context (should be ${goQuote(canonical)} or ${goQuote(single)}?)`,
    );
  }
  if (isOldCidr(text, cidr)) {
    warnings.push(`${path}: non-standard CIDR value ${goQuote(text)} is invalid: use ${goQuote(canonical)}`);
  }
  if (warnings.length === 0 && family === 6 && canonical !== text) {
    warnings.push(`${path}: IPv6 CIDR value ${goQuote(text)} should be in RFC 5952 canonical format (${goQuote(canonical)})`);
  }
  return warnings;
}

function isOldCidr(text: string, { isMapped }: Cidr): boolean {
  return isMapped || !isCidrText(text) || /\/0[0-9]/.test(text);
}

const LOOPBACK = rangesOf('127.0.0.0/8', '::1/128');
const LINK_LOCAL = rangesOf('169.254.0.0/16', 'fe80::/10');
const LINK_LOCAL_MULTICAST = rangesOf('224.0.0.0/24', 'ff02::/16');

function rangesOf(...texts: readonly string[]): readonly Cidr[] {
  return texts.flatMap((text) => parseCidr(text) ?? []);
}

export interface EndpointIpRules {
  /** Pods are processes of this machine. */
  readonly allowsLoopback: boolean;
}

const REAL: EndpointIpRules = { allowsLoopback: false };

/** Errors for addresses at which no server can be reached, in endpoints and external IPs. */
export function endpointIpErrors(text: string, path: string, { allowsLoopback }: EndpointIpRules = REAL): Errors {
  const ip = parseIp(text);
  if (ip === undefined) return [invalid(path, text, 'must be a valid IP address')];
  const isInAny = (ranges: readonly Cidr[]): boolean => ranges.some((range) => isIn(range, ip));
  const errors: FieldError[] = [];
  if (ip.value === 0n) errors.push(invalid(path, text, `may not be unspecified (${text})`));
  if (!allowsLoopback && isInAny(LOOPBACK)) errors.push(invalid(path, text, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'));
  if (isInAny(LINK_LOCAL)) errors.push(invalid(path, text, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'));
  if (isInAny(LINK_LOCAL_MULTICAST)) {
    errors.push(invalid(path, text, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'));
  }
  return errors;
}
