import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  goQuote,
  invalid,
  maskTrailingDash,
  pathSegmentProblems,
  qualifiedNameProblems,
} from '@keelson/kubernetes/apimachinery';
import { semanticEqual } from '../semantic-equal.js';
import { isNegativeAmount, isZeroAmount } from './resource-list.js';
import { all, atLeast, atMost, between, type Errors, longest, neededThen, type Rule, refuse, refuseAmount, texts } from './rules.js';

/**
 * Rules that many kinds have in common, each with the text of the server. Paths are as clients see them (`spec.ports[0].name`).
 *
 * Source: kubernetes `pkg/apis/core/validation`, apimachinery `pkg/util/validation` and `pkg/api/validation`.
 */
export const nonNegative: Rule<number> = atLeast(0);
export const positive: Rule<number> = refuse((value) => value <= 0, 'must be greater than zero');

/** @param printed what the message shows, where that is not the value itself */
export function immutable(value: unknown, old: unknown, path: string, printed: unknown = value): Errors {
  return semanticEqual(value, old) ? [] : [invalid(path, printed ?? null, 'field is immutable')];
}

/** One error for each text. */
export function invalidEach(path: string, value: unknown, texts: readonly string[]): Errors {
  return texts.map((text) => invalid(path, value, text));
}

export const dnsLabel: Rule<string> = texts(dns1123LabelProblems);
export const dnsSubdomain: Rule<string> = texts(dns1123SubdomainProblems);
/** A name with a suffix to come: a dash may end it. */
export const dnsSubdomainPrefix: Rule<string> = texts((value) => dns1123SubdomainProblems(maskTrailingDash(value)));
export const labelName: Rule<string> = texts(qualifiedNameProblems);
export const pathSegment: Rule<string> = texts((value) => pathSegmentProblems(value));

export const portNumber: Rule<number> = between(1, 65_535);

export function portNameProblems(name: string): readonly string[] {
  return [
    ...(name.length > 15 ? ['must be no more than 15 characters'] : []),
    ...(/^[-a-z0-9]+$/.test(name) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(/[a-z]/.test(name) ? [] : ['must contain at least one letter (a-z)']),
    ...(name.includes('--') ? ['must not contain consecutive hyphens'] : []),
    ...(name.startsWith('-') || name.endsWith('-') ? ['must not begin or end with a hyphen'] : []),
  ];
}

export const portName: Rule<string> = texts(portNameProblems);
/** `IntOrString`. */
export const portNumberOrName: Rule<number | string> = (value, path) =>
  (typeof value === 'string' ? portName : portNumber)(value as never, path);

/** Users and groups. */
export const id: Rule<number> = between(0, 2_147_483_647);

/** Names of variables, as loosely as Kubernetes takes them. */
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

export const noBacksteps: Rule<string> = refuse((path) => path.split('/').includes('..'), "must not contain '..'");
/** A path that stays below where it begins. */
export const descendingPath: Rule<string> = all(
  refuse((path) => path.startsWith('/'), 'must be a relative path'),
  noBacksteps,
);
/** As {@link descendingPath}, for names that a volume's own files must not meet. The server reports `..` alone twice. */
export const nonReservedPath: Rule<string> = all(
  descendingPath,
  refuse((path) => path.startsWith('..') && !path.startsWith('../'), "must not start with '..'"),
);

/** As Go prints a list of texts with `%q`. */
export function quotedList(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(' ')}]`;
}

/** Names of CSI drivers. */
export const csiDriverName: Rule<string> = neededThen(
  all(
    longest(63),
    texts((name) => dns1123SubdomainProblems(name.toLowerCase())),
  ),
);

/** Life of a token of a service account. */
export const tokenSeconds: Rule<number> = all(
  atLeast(600, 'may not specify a duration less than 10 minutes'),
  atMost(2 ** 32, 'may not specify a duration larger than 2^32 seconds'),
);

export const nonNegativeAmount: Rule<number | string> = refuseAmount(isNegativeAmount, 'must be greater than or equal to 0');
export const positiveAmount: Rule<number | string> = refuseAmount(
  (amount) => isNegativeAmount(amount) || isZeroAmount(amount),
  'must be greater than zero',
);

/** Permission bits. */
export const fileMode: Rule<number> = refuse(
  (mode) => mode > 0o777 || mode < 0,
  'must be a number between 0 and 0777 (octal), both inclusive',
);

/** A counter of the status that only grows. */
export function isDecremented(value: number | undefined, old: number | undefined): boolean {
  return old !== undefined && (value === undefined || value < old);
}
