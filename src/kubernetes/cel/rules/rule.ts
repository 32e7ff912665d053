import type { Json, StructuralSchema, ValidationRule } from '../../apimachinery/index.js';
import { type CostEstimate, schemaSize } from '../cost/index.js';
import { type CelProgram, compile, type EvaluateOptions, usableMessage } from '../program/index.js';
import { renderProblems } from '../syntax/index.js';
import type { Libraries } from '../types/index.js';
import { type CelType, celTypeOf, optionalOf } from '../types/index.js';
import { CelEvaluationError, type CelValue, optional, valueBySchema } from '../values/index.js';
import { resolveFieldPath } from './field-path.js';

export interface RuleOptions {
  /** Whether the rule stands at the root of a resource: metadata is then visible. Default: `x-kubernetes-embedded-resource` of the schema. */
  readonly isResourceRoot?: boolean;
  /**
   * Where the values lose their identity: the path of the list (atomic, set or without a type) around the rule.
   * A rule there cannot use `oldSelf`, as there is no telling which old element an element was.
   */
  readonly uncorrelatedWithin?: string;
  /** See {@link CompileOptions.libraries}. @defaultValue `new` */
  readonly libraries?: Libraries;
}

/** The API server's objection to a rule, at the key it names. */
export interface RuleProblem {
  readonly field: 'rule' | 'message' | 'messageExpression' | 'fieldPath' | 'reason' | 'optionalOldSelf';
  /** The text after `Invalid value: …: `. */
  readonly detail: string;
}

/** A rule that did not hold, or could not be evaluated. */
export interface RuleFailure {
  readonly message: string;
  readonly reason: NonNullable<ValidationRule['reason']>;
  /** Relative to the value the rule stands at; `''` is the value itself. */
  readonly fieldPath: string;
  /** Set if the rule failed to run: it then counts as violated. */
  readonly evaluationError?: string;
  /** Steps ran out: the API server gives up all further rules. */
  readonly budgetExceeded?: true;
}

/** The budget of all rules of one object; each evaluation takes its cost off. */
export interface CostBudget {
  left: number;
}

/** A budget for the rules of one object. As apiserver, `pkg/apis/cel/config.go` (RuntimeCELCostBudget). */
export const objectBudget = (): CostBudget => ({ left: 10_000_000 });

/** The API server's words when it gives up all further rules of an object. */
export const OUT_OF_BUDGET_TEXT = 'validation failed due to running out of cost budget, no further validation rules will be run';

export interface RuleCheckOptions extends Pick<EvaluateOptions, 'costLimit'> {
  /** @defaultValue one of its own, so that only the limit of a single evaluation counts */
  readonly budget?: CostBudget | undefined;
}

export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly usesOldSelf: boolean;
  /**
   * Checks a value. A rule with `oldSelf` holds if there is no old value, unless `optionalOldSelf` is set; every rule holds for null.
   */
  check(self: Json, oldSelf?: Json, options?: RuleCheckOptions): RuleFailure | undefined;
}

/** Upper bound of the cost of a rule and its message; absent: it does not compile. */
export interface RuleEstimate {
  readonly rule?: CostEstimate | undefined;
  readonly messageExpression?: CostEstimate | undefined;
}

export type RuleResult = (
  | { readonly ok: true; readonly compiled: CompiledRule }
  | { readonly ok: false; readonly problems: readonly RuleProblem[] }
) & {
  /** For one value. Computed when it is called: evaluating rules does not need it. */
  estimate(): RuleEstimate;
};

const NO_ESTIMATE = (): RuleEstimate => ({});

const REASONS: readonly string[] = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
/** A rule of one line needs no message; a carriage return breaks lines too. */
const LINE_BREAK = /[\n\r]/;

/** Checks a validation rule against the schema it stands at, as apiextensions does when a CRD is created. */
export function compileRule(rule: ValidationRule, schema: StructuralSchema, options: RuleOptions = {}): RuleResult {
  const problems: RuleProblem[] = formProblems(rule, schema);
  if (problems.length > 0) return { ok: false, problems, estimate: NO_ESTIMATE };
  const isResourceRoot = options.isResourceRoot ?? schema['x-kubernetes-embedded-resource'] === true;
  const self = celTypeOf(schema, { isResourceRoot, typeName: 'selfType' });
  if (self === undefined)
    return {
      ok: false,
      problems: [{ field: 'rule', detail: 'failed to convert to declType for CEL validation rules' }],
      estimate: NO_ESTIMATE,
    };
  const variables = { self, oldSelf: rule.optionalOldSelf === true ? optionalOf(self) : self };
  const condition = compileExpression({ field: 'rule', source: rule.rule, variables, libraries: options.libraries }, problems);
  const message =
    rule.messageExpression === undefined || rule.messageExpression === '' || condition === undefined
      ? undefined
      : compileExpression(
          { field: 'messageExpression', source: rule.messageExpression, variables, libraries: options.libraries },
          problems,
        );
  const usesOldSelf = condition?.references.has('oldSelf') === true;
  problems.push(...oldSelfProblems(rule, usesOldSelf, options.uncorrelatedWithin));
  const estimate = (): RuleEstimate => {
    const size = schemaSize(schema, isResourceRoot);
    return size === undefined ? {} : { rule: condition?.estimate(size), messageExpression: message?.estimate(size) };
  };
  if (condition === undefined || problems.length > 0) return { ok: false, problems, estimate };
  return { ok: true, compiled: new Rule({ rule, schema, isResourceRoot, condition, message, usesOldSelf }), estimate };
}

const EXPECTED = {
  rule: {
    kind: 'bool',
    compilation: 'compilation failed: ',
    instantiation: 'program instantiation failed: ',
    type: 'cel expression must evaluate to a bool',
  },
  messageExpression: {
    kind: 'string',
    compilation: 'messageExpression compilation failed: ',
    instantiation: 'messageExpression instantiation failed: ',
    type: 'messageExpression must evaluate to a string',
  },
} as const;

interface Expression {
  readonly field: 'rule' | 'messageExpression';
  readonly source: string;
  readonly variables: Readonly<Record<string, CelType>>;
  readonly libraries: Libraries | undefined;
}

function compileExpression({ field, source, variables, libraries }: Expression, problems: RuleProblem[]): CelProgram | undefined {
  const expected = EXPECTED[field];
  const result = compile(source, libraries === undefined ? { variables } : { variables, libraries });
  if (!result.ok) {
    const [first] = result.problems;
    const detail =
      first?.phase === 'instantiation'
        ? expected.instantiation + first.message
        : expected.compilation + renderProblems(source, result.problems);
    problems.push({ field, detail });
  } else if (result.program.resultType.kind !== expected.kind) problems.push({ field, detail: expected.type });
  else return result.program;
  return undefined;
}

/** The problem with the texts themselves. */
function formProblems(rule: ValidationRule, schema: StructuralSchema): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const message = rule.message?.trim() ?? '';
  if (rule.rule.trim() === '') problems.push({ field: 'rule', detail: 'rule is not specified' });
  else if (rule.message !== undefined && rule.message !== '' && message === '')
    problems.push({ field: 'message', detail: 'must be non-empty if specified' });
  else if (LINE_BREAK.test(message)) problems.push({ field: 'message', detail: 'must not contain line breaks' });
  else if (LINE_BREAK.test(rule.rule.trim()) && message === '')
    problems.push({ field: 'message', detail: 'message must be specified if rule contains line breaks' });
  if (rule.messageExpression !== undefined && rule.messageExpression !== '' && rule.messageExpression.trim() === '')
    problems.push({ field: 'messageExpression', detail: 'messageExpression must be non-empty if specified' });
  if (rule.reason !== undefined && !REASONS.includes(rule.reason))
    problems.push({ field: 'reason', detail: `supported values: ${REASONS.map((reason) => `"${reason}"`).join(', ')}` });
  if (rule.fieldPath !== undefined && rule.fieldPath !== '') problems.push(...fieldPathProblems(rule.fieldPath, schema));
  return problems;
}

function fieldPathProblems(fieldPath: string, schema: StructuralSchema): RuleProblem[] {
  const problem = (detail: string): RuleProblem => ({ field: 'fieldPath', detail });
  return [
    ...(fieldPath.trim() === '' ? [problem('must be non-empty if specified')] : []),
    ...(LINE_BREAK.test(fieldPath) ? [problem('must not contain line breaks')] : []),
    ...(resolveFieldPath(fieldPath, schema) === undefined ? [problem('must be a valid path')] : []),
  ];
}

function oldSelfProblems(rule: ValidationRule, usesOldSelf: boolean, uncorrelatedWithin: string | undefined): RuleProblem[] {
  if (usesOldSelf) {
    return uncorrelatedWithin === undefined
      ? []
      : [{ field: 'rule', detail: `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatedWithin}` }];
  }
  return rule.optionalOldSelf === undefined ? [] : [{ field: 'optionalOldSelf', detail: 'may not be set if oldSelf is not used in rule' }];
}

interface RuleParts {
  readonly rule: ValidationRule;
  readonly schema: StructuralSchema;
  readonly isResourceRoot: boolean;
  readonly condition: CelProgram;
  readonly message: CelProgram | undefined;
  readonly usesOldSelf: boolean;
}

interface Bindings {
  readonly self: CelValue;
  readonly oldSelf: CelValue | undefined;
}

interface Limits extends Pick<EvaluateOptions, 'costLimit'> {
  readonly budget: CostBudget;
}

const OUT_OF_BUDGET: RuleFailure = {
  message: OUT_OF_BUDGET_TEXT,
  reason: 'FieldValueInvalid',
  fieldPath: '',
  evaluationError: OUT_OF_BUDGET_TEXT,
  budgetExceeded: true,
};

/** A value, the reason why there is not one, or `undefined` if it cost more than was left. */
function evaluateWithin(program: CelProgram, bindings: Bindings, { budget, costLimit }: Limits): CelValue | CelEvaluationError | undefined {
  let spent = 0;
  const onCost = (cost: number) => {
    spent = cost;
  };
  const result = valueOrError(program, bindings, { onCost, ...(costLimit !== undefined && { costLimit }) });
  if (spent > budget.left) return undefined;
  budget.left -= spent;
  return result;
}

function valueOrError(program: CelProgram, bindings: Bindings, options: EvaluateOptions): CelValue | CelEvaluationError {
  try {
    return program.evaluate({ ...bindings }, options);
  } catch (error) {
    if (error instanceof CelEvaluationError) return error;
    throw error;
  }
}

class Rule implements CompiledRule {
  readonly #parts: RuleParts;

  constructor(parts: RuleParts) {
    this.#parts = parts;
  }

  get rule(): ValidationRule {
    return this.#parts.rule;
  }

  get usesOldSelf(): boolean {
    return this.#parts.usesOldSelf;
  }

  check(self: Json, oldSelf?: Json, { costLimit, budget = objectBudget() }: RuleCheckOptions = {}): RuleFailure | undefined {
    const { rule, condition, usesOldSelf } = this.#parts;
    const isOptional = rule.optionalOldSelf === true;
    if (self === null || (usesOldSelf && (oldSelf === undefined || oldSelf === null) && !isOptional)) return undefined;
    const old = oldSelf === undefined || oldSelf === null ? undefined : this.#value(oldSelf);
    const bindings: Bindings = { self: this.#value(self), oldSelf: isOptional ? optional(old) : old };
    const limits: Limits = { budget, ...(costLimit !== undefined && { costLimit }) };
    const result = evaluateWithin(condition, bindings, limits);
    if (result === undefined) return OUT_OF_BUDGET;
    if (result instanceof CelEvaluationError) return this.#evaluationFailure(result);
    if (result === true) return undefined;
    // The API server binds `oldSelf` for messages as it is, never as an optional, and only if the rule itself uses it.
    return this.#violation({ self: bindings.self, oldSelf: usesOldSelf ? old : undefined }, limits);
  }

  #value(json: Json): CelValue {
    return valueBySchema(json, this.#parts.schema, { isResourceRoot: this.#parts.isResourceRoot });
  }

  #violation(bindings: Bindings, limits: Limits): RuleFailure {
    const { rule, schema } = this.#parts;
    const fieldPath = rule.fieldPath === undefined ? '' : (resolveFieldPath(rule.fieldPath, schema) ?? '');
    const message = this.#message(bindings, limits);
    if (typeof message === 'string') return { message, reason: rule.reason ?? 'FieldValueInvalid', fieldPath };
    return { message: message.outOfBudget, reason: 'FieldValueInvalid', fieldPath, budgetExceeded: true };
  }

  /** The text by which messages name the rule. */
  get #label(): string {
    const { rule } = this.#parts;
    return (rule.message === undefined || rule.message === '' ? rule.rule : rule.message).trim();
  }

  #message(bindings: Bindings, limits: Limits): string | { readonly outOfBudget: string } {
    const { rule, message } = this.#parts;
    const fallback = rule.message === undefined || rule.message === '' ? `failed rule: ${this.#label}` : rule.message.trim();
    if (message === undefined) return fallback;
    const result = evaluateWithin(message, bindings, limits);
    if (result === undefined)
      return {
        outOfBudget: 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
      };
    if (!(result instanceof CelEvaluationError)) return (typeof result === 'string' ? usableMessage(result) : undefined) ?? fallback;
    // A message that cannot be made must not hide the violation: the API server falls back to the rule's text too.
    if (!result.budgetExceeded) return fallback;
    const source = JSON.stringify(rule.messageExpression);
    return { outOfBudget: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${source}` };
  }

  #evaluationFailure(error: CelEvaluationError): RuleFailure {
    const text = error.message;
    const base = { reason: 'FieldValueInvalid', fieldPath: '', evaluationError: text } as const;
    if (error.budgetExceeded)
      return {
        ...base,
        budgetExceeded: true,
        message: `'${text}': no further validation rules will be run due to call cost exceeds limit for rule: ${this.#label}`,
      };
    if (text.startsWith('no such overload'))
      return {
        ...base,
        message: `'${text}': call arguments did not match a supported operator, function or macro signature for rule: ${this.#label}`,
      };
    return { ...base, message: `${text} evaluating rule: ${this.#label}` };
  }
}
