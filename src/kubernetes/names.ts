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
