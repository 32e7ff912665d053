/**
 * The API's rules for names, as patterns that both JavaScript and RE2 read.
 *
 * Source: apimachinery, `pkg/util/validation/validation.go`.
 */

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

export interface NameRule {
  readonly pattern: string;
  readonly maxLength: number;
  /** Completes "must be …". */
  readonly says: string;
}

/** One DNS label: names of namespaces and services, most parts of names. */
export const DNS_1123_LABEL: NameRule = {
  pattern: `^${LABEL}$`,
  maxLength: 63,
  says: 'lower case letters, digits and dashes, beginning and ending with a letter or digit (DNS-1123 label)',
};

/** As the label, but it begins with a letter: names of kinds (in lower case), plurals, short names. */
export const DNS_1035_LABEL: NameRule = {
  pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$',
  maxLength: 63,
  says: 'lower case letters, digits and dashes, beginning with a letter (DNS-1035 label)',
};

/** Names of most objects. */
export const DNS_1123_SUBDOMAIN: NameRule = {
  pattern: `^${LABEL}(\\.${LABEL})*$`,
  maxLength: 253,
  says: 'lower case letters, digits, dashes and dots (DNS-1123 subdomain)',
};

const QUALIFIED = '[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?';

export const LABEL_VALUE: NameRule = {
  pattern: '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$',
  maxLength: 63,
  says: 'empty, or letters, digits, dashes, underscores and dots, beginning and ending with a letter or digit (label value)',
};

/** `name` or `prefix/name`: the prefix is a subdomain, the name has at most 63 characters. */
export const LABEL_KEY: NameRule = {
  pattern: `^(${LABEL}(\\.${LABEL})*/)?${QUALIFIED}$`,
  maxLength: 317,
  says: 'a name of at most 63 letters, digits, dashes, underscores and dots, with an optional DNS prefix and a slash (label key)',
};

/** Whether `name` obeys `rule`. */
export function obeys(rule: NameRule, name: string): boolean {
  return name.length <= rule.maxLength && new RegExp(rule.pattern).test(name);
}

const QUALIFIED_NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;

/** The texts of apimachinery for a name that breaks a rule; empty when it is valid. */
export function dns1123LabelProblems(name: string): readonly string[] {
  const tooLong = name.length > 63 ? [maxLengthText(63)] : [];
  if (fully(LABEL, name)) return tooLong;
  if (fully(SUBDOMAIN, name)) return [...tooLong, 'must not contain dots'];
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...tooLong, patternText(rule, LABEL, ['my-name', '123-abc'])];
}

export function dns1035LabelProblems(name: string): readonly string[] {
  const pattern = '[a-z]([-a-z0-9]*[a-z0-9])?';
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [
    ...(name.length > 63 ? [maxLengthText(63)] : []),
    ...(fully(pattern, name) ? [] : [patternText(rule, pattern, ['my-name', 'abc-123'])]),
  ];
}

export function dns1123SubdomainProblems(name: string): readonly string[] {
  return subdomainProblems(name, 'characters');
}

function subdomainProblems(name: string, unit: LengthUnit): readonly string[] {
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return [
    ...(isLonger(name, 253) ? [maxLengthText(253, unit)] : []),
    ...(fully(SUBDOMAIN, name) ? [] : [patternText(rule, SUBDOMAIN, ['example.com'])]),
  ];
}

const QUALIFIED_RULE = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const QUALIFIED_EXAMPLES = ['MyName', 'my.name', '123-abc'];

/** Keys of labels and annotations, names of finalizers. */
export function qualifiedNameProblems(value: string): readonly string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    const text = patternText(QUALIFIED_RULE, QUALIFIED_NAME, QUALIFIED_EXAMPLES);
    return [`a valid label key ${text} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const [prefix, name = ''] = parts.length === 2 ? parts : [undefined, value];
  const prefixProblems = prefix === undefined ? [] : prefix === '' ? ['must be non-empty'] : subdomainProblems(prefix, 'bytes');
  const lengthProblems = name === '' ? ['must be non-empty'] : isLonger(name, 63) ? [maxLengthText(63, 'bytes')] : [];
  const nameProblems = [
    ...lengthProblems,
    ...(fully(QUALIFIED_NAME, name) ? [] : [patternText(QUALIFIED_RULE, QUALIFIED_NAME, QUALIFIED_EXAMPLES)]),
  ];
  return [...prefixProblems.map((text) => `prefix part ${text}`), ...nameProblems.map((text) => `name part ${text}`)];
}

export function labelValueProblems(value: string): readonly string[] {
  const pattern = `(${QUALIFIED_NAME})?`;
  const rule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  return [
    ...(isLonger(value, 63) ? [maxLengthText(63, 'bytes')] : []),
    ...(fully(pattern, value) ? [] : [patternText(rule, pattern, ['MyValue', 'my_value', '12345'])]),
  ];
}

/** Names that a URL's path can carry: the least that every object's name obeys. */
export function pathSegmentProblems(name: string, { prefix = false }: { readonly prefix?: boolean } = {}): readonly string[] {
  if (!prefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

/** A generateName as the rules of names see it: a suffix follows, so that a dash may end it. Source: apimachinery, `pkg/api/validation/generic.go`. */
export function maskTrailingDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
}

function fully(pattern: string, text: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(text);
}

/** Both are bytes: the rules of labels have said so since they were moved to `pkg/api/validate/content`, those of names have not. */
type LengthUnit = 'bytes' | 'characters';

function maxLengthText(length: number, unit: LengthUnit = 'characters'): string {
  return `must be no more than ${length} ${unit}`;
}

function isLonger(text: string, length: number): boolean {
  return new TextEncoder().encode(text).length > length;
}

function patternText(rule: string, pattern: string, examples: readonly string[]): string {
  // The server's own text has two blanks before each "or".
  const list = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (e.g. ${list}regex used for validation is '${pattern}')`;
}
