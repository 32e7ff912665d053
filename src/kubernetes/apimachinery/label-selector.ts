import { fieldErrorText, invalid } from './field-error.js';
import { compareUtf8, goQuote } from './go-format.js';
import { labelTokens, type Token } from './label-tokens.js';
import { labelValueProblems, qualifiedNameProblems } from './names.js';

/**
 * Label selectors in both forms: the text of a query (`app=a,tier in (x,y),!old`) and the `LabelSelector` of objects.
 *
 * Source of syntax and texts: apimachinery, `pkg/labels/selector.go` and `pkg/apis/meta/v1/helpers.go`.
 */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';
  /** Sorted, each once. */
  readonly values: readonly string[];
}

/** All have to be met; none: everything is selected. */
export type LabelRequirements = readonly LabelRequirement[];

/** A selector, or what the API server says of its text. */
export type ParsedSelector<T> = { readonly requirements: T } | { readonly problem: string };

/** A `LabelSelector` as objects carry it. */
export interface LabelSelectorFields {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?:
    | readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] | undefined }[]
    | undefined;
}

export function matchesLabels(requirements: LabelRequirements, labels: Readonly<Record<string, string>> = {}): boolean {
  return requirements.every((requirement) =>
    isMet(requirement, Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined),
  );
}

function isMet({ operator, values }: LabelRequirement, value: string | undefined): boolean {
  switch (operator) {
    case '!':
      return value === undefined;
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '=':
    case '==':
    case 'in':
      return value !== undefined && values.includes(value);
    case 'gt':
    case 'lt':
      return isBeyond(operator, int64(value ?? ''), int64(values[0] ?? ''));
  }
}

function isBeyond(operator: 'gt' | 'lt', value: bigint | undefined, bound: bigint | undefined): boolean {
  if (value === undefined || bound === undefined) return false;
  return operator === 'gt' ? value > bound : value < bound;
}

/** `strconv.ParseInt(text, 10, 64)`. */
function int64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  // No int64 has more digits; a longer text must not cost its square.
  const digits = text.replace(/^[+-]?0*/, '');
  if (digits.length > 19) return undefined;
  const value = BigInt(`${text.startsWith('-') ? '-' : ''}${digits || '0'}`);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** The text of `labelSelector` in a query. */
export function parseLabelSelector(text: string): ParsedSelector<LabelRequirements> {
  try {
    return { requirements: sorted(new Parser(labelTokens(text)).parse()) };
  } catch (error) {
    if (error instanceof SelectorProblem) return { problem: error.message };
    throw error;
  }
}

/** The selector of an object. Undefined selects nothing there, which its reader has to know; an empty one selects everything. */
export function labelRequirementsOf({ matchLabels = {}, matchExpressions = [] }: LabelSelectorFields): ParsedSelector<LabelRequirements> {
  const requirements: LabelRequirement[] = [];
  const expressions = Object.entries(matchLabels).map(([key, value]) => ({ key, operator: '=', values: [value] }));
  // One after the other: the first problem is the one that is reported.
  for (const { key, operator, values = [] } of [...expressions, ...matchExpressions]) {
    const known = expressions.length > requirements.length ? '=' : OBJECT_OPERATORS.get(operator);
    if (known === undefined) return { problem: `${goQuote(operator)} is not a valid label selector operator` };
    const requirement = { key, operator: known, values };
    const problem = requirementProblem(requirement);
    if (problem !== undefined) return { problem };
    requirements.push(requirement);
  }
  return { requirements: sorted(requirements) };
}

/**
 * Whether a selector of an object, such as `spec.selector`, selects what has these labels.
 *
 * An empty selector selects everything; none, and one that the API server would refuse, select nothing.
 *
 * @example
 * ```ts
 * selectsLabels({ matchLabels: { app: 'web' } }, { app: 'web', tier: 'front' }); // true
 * ```
 */
export function selectsLabels(selector: LabelSelectorFields | undefined, labels: Readonly<Record<string, string>> | undefined): boolean {
  const parsed = selector === undefined ? undefined : labelRequirementsOf(selector);
  return parsed !== undefined && 'requirements' in parsed && matchesLabels(parsed.requirements, labels);
}

/**
 * The API server's error for a selector; `undefined` if it is valid.
 *
 * @example
 * ```ts
 * labelSelectorProblem({ matchLabels: { app: 'web' } }); // undefined
 * labelSelectorProblem({ matchExpressions: [{ key: 'app', operator: 'In', values: [] }] }); // a text
 * ```
 */
export function labelSelectorProblem(selector: LabelSelectorFields): string | undefined {
  const parsed = labelRequirementsOf(selector);
  return 'problem' in parsed ? parsed.problem : undefined;
}

const OBJECT_OPERATORS: ReadonlyMap<string, LabelRequirement['operator']> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/** The text that parses to the same selector: values sorted, as the API server writes a Scale's `status.selector`. */
export function labelSelectorText(requirements: LabelRequirements): string {
  return requirements.map(requirementText).join(',');
}

function requirementText({ key, operator, values }: LabelRequirement): string {
  const list = [...values].sort(compareUtf8).join(',');
  switch (operator) {
    case '!':
      return `!${key}`;
    case 'exists':
      return key;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${list})`;
    case 'gt':
      return `${key}>${list}`;
    case 'lt':
      return `${key}<${list}`;
    case '=':
    case '==':
    case '!=':
      return `${key}${operator}${list}`;
  }
}

function sorted(requirements: LabelRequirements): LabelRequirements {
  return [...requirements].sort((left, right) => compareUtf8(left.key, right.key));
}

/** `NewRequirement`: several problems print as one list, each text once. */
function requirementProblem({ key, operator, values }: LabelRequirement): string | undefined {
  const errors = [
    ...keyProblems('key', key),
    ...countProblems(operator, values),
    ...values.flatMap((value, index) => {
      const problems = labelValueProblems(value);
      return problems.length === 0 ? [] : [fieldErrorText(invalid(`values[${index}][${key}]`, value, problems.join('; ')))];
    }),
  ];
  const texts = [...new Set(errors)];
  return texts.length > 1 ? `[${texts.join(', ')}]` : texts[0];
}

function keyProblems(path: string, key: string): readonly string[] {
  const problems = qualifiedNameProblems(key);
  return problems.length === 0 ? [] : [fieldErrorText(invalid(path, key, problems.join('; ')))];
}

function countProblems(operator: LabelRequirement['operator'], values: readonly string[]): readonly string[] {
  const isSet = operator === 'in' || operator === 'notin';
  if (isSet && values.length === 0) {
    return [fieldErrorText(invalid('values', null, "for 'in', 'notin' operators, values set can't be empty"))];
  }
  if ((operator === 'exists' || operator === '!') && values.length > 0) {
    return [fieldErrorText(invalid('values', values, 'values set must be empty for exists and does not exist'))];
  }
  if (operator !== 'gt' && operator !== 'lt') return [];
  return values.flatMap((value, index) =>
    int64(value) === undefined
      ? [fieldErrorText(invalid(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"))]
      : [],
  );
}

/** Stays inside this file: the parser's way out. */
class SelectorProblem extends Error {}

const OPERATORS: ReadonlyMap<Token['kind'], LabelRequirement['operator']> = new Map<Token['kind'], LabelRequirement['operator']>([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
]);

class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): LabelRequirements {
    const requirements: LabelRequirement[] = [];
    if (this.#kind() === 'end') return requirements;
    if (!this.#isBeginning()) throw this.#found(", expected: !, identifier, or 'end of string'");
    for (;;) {
      requirements.push(this.#requirement());
      if (this.#kind() === 'end') return requirements;
      if (this.#kind() !== ',') throw this.#found(", expected: ',' or 'end of string'");
      this.#position += 1;
      if (!this.#isBeginning()) throw this.#found(", expected: identifier after ','");
    }
  }

  #isBeginning(): boolean {
    return this.#kind() === 'identifier' || this.#kind() === '!';
  }

  /** Where a value may stand, `in` and `notin` are names like any other. */
  #kind(): Token['kind'] {
    const kind = this.#tokens[this.#position]?.kind ?? 'end';
    return kind === 'in' || kind === 'notin' ? 'identifier' : kind;
  }

  #text(): string {
    return this.#tokens[this.#position]?.text ?? '';
  }

  #found(expected: string): SelectorProblem {
    return new SelectorProblem(`found '${this.#text()}'${expected}`);
  }

  #requirement(): LabelRequirement {
    try {
      const requirement = this.#unchecked();
      const problem = requirementProblem(requirement);
      if (problem !== undefined) throw new SelectorProblem(problem);
      return requirement;
    } catch (error) {
      throw error instanceof SelectorProblem ? new SelectorProblem(`unable to parse requirement: ${error.message}`) : error;
    }
  }

  #unchecked(): LabelRequirement {
    const isNegated = this.#kind() === '!';
    if (isNegated) this.#position += 1;
    if (this.#kind() !== 'identifier') throw this.#found(', expected: identifier');
    const key = this.#text();
    const [problem] = keyProblems('', key);
    if (problem !== undefined) throw new SelectorProblem(problem);
    this.#position += 1;
    // `!key` takes nothing behind it: the error says that a comma was expected.
    if (isNegated) return { key, operator: '!', values: [] };
    if (this.#kind() === 'end' || this.#kind() === ',') return { key, operator: 'exists', values: [] };
    const operator = OPERATORS.get(this.#tokens[this.#position]?.kind ?? 'end');
    if (operator === undefined) throw this.#found(', expected: in, notin, =, ==, !=, gt, lt');
    this.#position += 1;
    const values = operator === 'in' || operator === 'notin' ? this.#values() : [this.#value()];
    return { key, operator, values: [...new Set(values)].sort(compareUtf8) };
  }

  #value(): string {
    if (this.#kind() === 'end' || this.#kind() === ',') return '';
    if (this.#kind() !== 'identifier') throw this.#found(', expected: identifier');
    const text = this.#text();
    this.#position += 1;
    return text;
  }

  #values(): readonly string[] {
    if (this.#kind() !== '(') throw this.#found(" expected: '('");
    this.#position += 1;
    if (this.#kind() === ')') {
      this.#position += 1;
      return [''];
    }
    if (this.#kind() !== 'identifier' && this.#kind() !== ',') throw this.#found(", expected: ',', ')' or identifier");
    const values = this.#list();
    this.#position += 1;
    return values;
  }

  /** Up to the closing parenthesis. A place that is left empty is an empty value. */
  #list(): readonly string[] {
    const values: string[] = [];
    for (;;) {
      if (this.#kind() === 'identifier') {
        values.push(this.#text());
        this.#position += 1;
        if (this.#kind() === ')') return values;
        if (this.#kind() !== ',') throw this.#found(", expected: ',' or ')'");
        continue;
      }
      if (this.#kind() !== ',') throw this.#found(", expected: ',', or identifier");
      this.#position += 1;
      if (values.length === 0) values.push('');
      if (this.#kind() === ')') return [...values, ''];
      if (this.#kind() === ',') values.push('');
    }
  }
}
