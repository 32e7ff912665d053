import { hasFormat } from '../../apimachinery/index.js';
import { uriProblem } from './functions-network.js';

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const DNS1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${QUALIFIED})?`;

/** The form in which apimachinery explains a pattern. */
function patternProblem(message: string, pattern: string, examples: readonly string[]): string {
  const shown = examples.map((example, index) => `${index > 0 ? ' or ' : ''}'${example}', `).join('');
  return examples.length === 0
    ? `${message} (regex used for validation is '${pattern}')`
    : `${message} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

const fits = (pattern: string, text: string): boolean => new RegExp(`^(?:${pattern})$`).test(text);
const tooLong = (text: string, limit: number): string[] =>
  new TextEncoder().encode(text).length > limit ? [`must be no more than ${limit} characters`] : [];

function dns1123Label(text: string): string[] {
  const problems = tooLong(text, 63);
  if (fits(LABEL, text)) return problems;
  if (fits(SUBDOMAIN, text)) return [...problems, 'must not contain dots'];
  return [
    ...problems,
    patternProblem(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
      LABEL,
      ['my-name', '123-abc'],
    ),
  ];
}

function dns1123Subdomain(text: string): string[] {
  const problems = tooLong(text, 253);
  if (fits(SUBDOMAIN, text)) return problems;
  return [
    ...problems,
    patternProblem(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
      SUBDOMAIN,
      ['example.com'],
    ),
  ];
}

function dns1035Label(text: string): string[] {
  const problems = tooLong(text, 63);
  if (fits(DNS1035, text)) return problems;
  return [
    ...problems,
    patternProblem(
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
      DNS1035,
      ['my-name', 'abc-123'],
    ),
  ];
}

const QUALIFIED_MESSAGE = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

function qualifiedName(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2) {
    return [
      `a qualified name ${patternProblem(QUALIFIED_MESSAGE, QUALIFIED, ['MyName', 'my.name', '123-abc'])} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const [prefix, name = ''] = parts.length === 2 ? parts : [undefined, parts[0]];
  const problems: string[] = [];
  if (prefix === '') problems.push('prefix part must be non-empty');
  else if (prefix !== undefined) problems.push(...dns1123Subdomain(prefix).map((problem) => `prefix part ${problem}`));
  if (name === '') problems.push('name part must be non-empty');
  else problems.push(...tooLong(name, 63).map((problem) => `name part ${problem}`));
  if (!fits(QUALIFIED, name)) problems.push(`name part ${patternProblem(QUALIFIED_MESSAGE, QUALIFIED, ['MyName', 'my.name', '123-abc'])}`);
  return problems;
}

function labelValue(text: string): string[] {
  const problems = tooLong(text, 63);
  if (fits(LABEL_VALUE, text)) return problems;
  return [
    ...problems,
    patternProblem(
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
      LABEL_VALUE,
      ['MyValue', 'my_value', '12345'],
    ),
  ];
}

/** A name that will be completed may end in a dash. */
const asPrefix = (check: (text: string) => string[]) => (text: string) =>
  check(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
const check = (holds: (text: string) => boolean, problem: string) => (text: string) => (holds(text) ? [] : [problem]);

/** The formats of `format.<name>()`: the problems of a text, none if it fits. */
export const NAMED_FORMATS: Readonly<Record<string, (text: string) => string[]>> = {
  dns1123Label,
  dns1123Subdomain,
  dns1035Label,
  qualifiedName,
  dns1123LabelPrefix: asPrefix(dns1123Label),
  dns1123SubdomainPrefix: asPrefix(dns1123Subdomain),
  dns1035LabelPrefix: asPrefix(dns1035Label),
  labelValue,
  uri: (text) => {
    const problem = uriProblem(text);
    return problem === undefined ? [] : [problem];
  },
  uuid: check((text) => hasFormat('uuid', text), 'does not match the UUID format'),
  byte: check((text) => hasFormat('byte', text), 'invalid base64'),
  date: check((text) => hasFormat('date', text), 'invalid date'),
  datetime: check((text) => hasFormat('datetime', text), 'invalid datetime'),
};
