import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  type FieldError,
  goQuote,
  invalid,
  isIPText,
  maskTrailingDash,
  notSupported,
  qualifiedNameProblems,
  required,
} from '../../../../kubernetes/index.js';
import { semanticEqual } from '../semantic-equal.js';

/**
 * Rules that many kinds have in common, each with the text of the server. Paths are as clients see them (`spec.ports[0].name`).
 *
 * Source: kubernetes 1.34 `pkg/apis/core/validation`, apimachinery `pkg/util/validation` and `pkg/api/validation`.
 */
export type Errors = readonly FieldError[];

export function nonNegative(value: number | undefined, path: string): Errors {
  return value !== undefined && value < 0 ? [invalid(path, value, 'must be greater than or equal to 0')] : [];
}

export function positive(value: number, path: string): Errors {
  return value <= 0 ? [invalid(path, value, 'must be greater than zero')] : [];
}

/** @param printed what the message shows, where that is not the value itself */
export function immutable(value: unknown, old: unknown, path: string, printed: unknown = value): Errors {
  return semanticEqual(value, old) ? [] : [invalid(path, printed ?? null, 'field is immutable')];
}

/** One error for each text. */
export function invalidEach(path: string, value: unknown, texts: readonly string[]): Errors {
  return texts.map((text) => invalid(path, value, text));
}

export function dnsLabel(value: string, path: string): Errors {
  return invalidEach(path, value, dns1123LabelProblems(value));
}

export function dnsSubdomain(value: string, path: string): Errors {
  return invalidEach(path, value, dns1123SubdomainProblems(value));
}

/** A name with a suffix to come: a dash may end it. */
export function dnsSubdomainPrefix(value: string, path: string): Errors {
  return invalidEach(path, value, dns1123SubdomainProblems(maskTrailingDash(value)));
}

export function labelName(value: string, path: string): Errors {
  return invalidEach(path, value, qualifiedNameProblems(value));
}

export function requiredText(value: string | undefined, path: string): Errors {
  return value === undefined || value === '' ? [required(path)] : [];
}

/** A missing value is told as such. @param listed how the message lists them; default as given */
export function oneOf(value: string | undefined, supported: readonly string[], path: string): Errors {
  if (value === undefined || value === '') return [required(path)];
  return oneOfOrNone(value, supported, path);
}

export function oneOfOrNone(value: string | undefined, supported: readonly string[], path: string): Errors {
  return value === undefined || supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

export function inclusiveRange(least: number, most: number): string {
  return `must be between ${least} and ${most}, inclusive`;
}

export function inRange(value: number | undefined, [least, most]: readonly [least: number, most: number], path: string): Errors {
  return value === undefined || (value >= least && value <= most) ? [] : [invalid(path, value, inclusiveRange(least, most))];
}

export function portNumber(value: number, path: string): Errors {
  return inRange(value, [1, 65_535], path);
}

export function portNameProblems(name: string): readonly string[] {
  return [
    ...(name.length > 15 ? ['must be no more than 15 characters'] : []),
    ...(/^[-a-z0-9]+$/.test(name) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(/[a-z]/.test(name) ? [] : ['must contain at least one letter (a-z)']),
    ...(name.includes('--') ? ['must not contain consecutive hyphens'] : []),
    ...(name.startsWith('-') || name.endsWith('-') ? ['must not begin or end with a hyphen'] : []),
  ];
}

/** `IntOrString`. */
export function portNumberOrName(value: number | string, path: string): Errors {
  return typeof value === 'number' ? portNumber(value, path) : invalidEach(path, value, portNameProblems(value));
}

/** Users and groups. */
export function id(value: number | undefined, path: string): Errors {
  return inRange(value, [0, 2_147_483_647], path);
}

/** An address with leading zeros is tolerated, as old objects have it. */
export function ipAddress(value: string, path: string): Errors {
  return isIPText(value, true) ? [] : [invalid(path, value, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
}

/** Names of variables, as loosely as 1.34 takes them. */
export function envVarNameProblems(name: string): readonly string[] {
  return [
    ...(name === '' ? ['environment variable name must be non-empty'] : []),
    ...(/^[ -<>-~]*$/.test(name)
      ? []
      : ["a valid environment variable name must consist only of printable ASCII characters other than '='"]),
  ];
}

/** Keys of ConfigMaps and Secrets. */
export function configMapKeyProblems(key: string): readonly string[] {
  const rule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
  return [
    ...(key.length > 253 ? ['must be no more than 253 characters'] : []),
    ...(/^[-._a-zA-Z0-9]+$/.test(key)
      ? []
      : [`${rule} (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`]),
    ...parentDirectoryProblems(key),
  ];
}

function parentDirectoryProblems(value: string): readonly string[] {
  if (value === '.' || value === '..') return [`must not be '${value}'`];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

export function percentProblems(text: string): readonly string[] {
  const rule = "a valid percent string must be a numeric string followed by an ending '%'";
  return /^[0-9]+%$/.test(text) ? [] : [`${rule} (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`];
}

export function headerNameProblems(name: string): readonly string[] {
  const rule = "a valid HTTP header must consist of alphanumeric characters or '-'";
  return /^[-A-Za-z0-9]+$/.test(name) ? [] : [`${rule} (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')`];
}

/** A path that stays below where it begins. */
export function descendingPath(path: string, field: string): Errors {
  return [...(path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []), ...noBacksteps(path, field)];
}

export function noBacksteps(path: string, field: string): Errors {
  return path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : [];
}

/** As {@link descendingPath}, for names that a volume's own files must not meet. */
export function nonReservedPath(path: string, field: string): Errors {
  const isReserved = path.startsWith('..') && !path.startsWith('../');
  // `..` alone has been told before; the server tells it twice.
  return [...descendingPath(path, field), ...(isReserved ? [invalid(field, path, "must not start with '..'")] : [])];
}

/** As Go prints a list of texts with `%q`. */
export function quotedList(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(' ')}]`;
}

/** Permission bits. */
export function fileMode(mode: number | undefined, path: string): Errors {
  return mode !== undefined && (mode > 0o777 || mode < 0)
    ? [invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive')]
    : [];
}

/** A counter of the status that only grows. */
export function isDecremented(value: number | undefined, old: number | undefined): boolean {
  return old !== undefined && (value === undefined || value < old);
}
