import type { CelProgram, EvaluateOptions } from '../program/index.js';
import { usableMessage } from '../program/index.js';
import type { Libraries } from '../types/index.js';
import { compileAdmissionExpression } from './admission-expression.js';
import { type AdmissionVariables, bindingsOf } from './admission-variables.js';
import { type Bindings, compileAt, compileVariables, composedVariables, type Environment, type Variable } from './composition.js';
import {
  type AdmissionProblem,
  aggregate,
  type CompiledMatchConditions,
  compileMatchConditions,
  evaluateExpression,
  type NamedExpression,
} from './match-conditions.js';

/** The expressions of a ValidatingAdmissionPolicy. */
export interface PolicyExpressions {
  /** Whether the policy has a `paramKind`. @defaultValue false */
  readonly params?: boolean;
  /** Each sees those before it. */
  readonly variables?: readonly NamedExpression[];
  readonly matchConditions?: readonly NamedExpression[];
  readonly validations: readonly PolicyValidationExpression[];
  /** Compiled, never evaluated: their values are for an audit log. */
  readonly auditAnnotations?: readonly { readonly valueExpression: string }[];
}

export interface PolicyValidationExpression {
  readonly expression: string;
  readonly message?: string | undefined;
  readonly messageExpression?: string | undefined;
  readonly reason?: string | undefined;
}

/** A validation that does not hold, or could not be evaluated. */
export interface PolicyFailure {
  readonly message: string;
  /** `Invalid` unless the validation names another. */
  readonly reason: string;
  /** Set if an expression failed to run: the policy's `failurePolicy` decides whether that denies the request. */
  readonly evaluationError?: true;
}

export interface CompiledPolicy {
  /** The policy's objections to a request; empty where a match condition is false. */
  check(request: AdmissionVariables, options?: EvaluateOptions): readonly PolicyFailure[];
}

export type PolicyResult =
  | { readonly ok: true; readonly compiled: CompiledPolicy }
  | { readonly ok: false; readonly problems: readonly AdmissionProblem[] };

interface Validation {
  readonly validation: PolicyValidationExpression;
  readonly condition: CelProgram;
  readonly message: CelProgram | undefined;
}

/**
 * Compiles the expressions of a policy as the API server does when it is created, and evaluates them as it does for a request.
 *
 * `authorizer` is typed, but cannot be asked here: an expression that uses it fails to run.
 * @see apiserver, `pkg/admission/plugin/policy/validating`
 */
export function compilePolicy(policy: PolicyExpressions, options: { readonly libraries?: Libraries } = {}): PolicyResult {
  const environment: Environment = { params: policy.params ?? false, libraries: options.libraries ?? 'new' };
  const matched = compileMatchConditions(policy.matchConditions ?? [], environment);
  const problems: AdmissionProblem[] = matched.ok ? [] : [...matched.problems];
  const composed = compileVariables(policy.variables ?? [], environment, problems);
  const validations = policy.validations.map((validation, index) =>
    compileValidation(validation, { environment: composed.environment, field: `validations[${index}]` }, problems),
  );
  compileAnnotations(policy.auditAnnotations ?? [], composed.environment, problems);
  if (!matched.ok || problems.length > 0) return { ok: false, problems };
  const compiled = validations.filter((validation) => validation !== undefined);
  return { ok: true, compiled: new Policy(matched.compiled, composed.variables, compiled) };
}

function compileValidation(
  validation: PolicyValidationExpression,
  { environment, field }: { readonly environment: Environment; readonly field: string },
  problems: AdmissionProblem[],
): Validation | undefined {
  const { expression, message, messageExpression = '' } = validation;
  const condition = compileAt(`${field}.expression`, { source: expression, environment, results: ['bool'] }, problems);
  let compiledMessage: CelProgram | undefined;
  if (messageExpression !== '' && messageExpression.trim() === '')
    problems.push({ field: `${field}.messageExpression`, detail: 'must be non-empty if specified' });
  else if (messageExpression !== '') {
    const result = compileAdmissionExpression(messageExpression, { ...environment, place: 'messageExpression', results: ['string'] });
    if (result.ok) compiledMessage = result.program;
    else problems.push({ field: `${field}.messageExpression`, detail: result.detail });
  }
  if (message !== undefined && message !== '' && message.trim() === '')
    problems.push({ field: `${field}.message`, detail: 'must be non-empty if specified' });
  else if (/[\n\r]/.test(message?.trim() ?? '')) problems.push({ field: `${field}.message`, detail: 'must not contain line breaks' });
  return condition === undefined ? undefined : { validation, condition, message: compiledMessage };
}

function compileAnnotations(
  annotations: readonly { readonly valueExpression: string }[],
  environment: Environment,
  problems: AdmissionProblem[],
): void {
  for (const [index, { valueExpression }] of annotations.entries()) {
    const source = valueExpression.trim();
    if (source === '') continue;
    compileAt(`auditAnnotations[${index}].valueExpression`, { source, environment, results: ['string', 'null'] }, problems);
  }
}

class Policy implements CompiledPolicy {
  readonly #conditions: CompiledMatchConditions;
  readonly #variables: readonly Variable[];
  readonly #validations: readonly Validation[];

  constructor(conditions: CompiledMatchConditions, variables: readonly Variable[], validations: readonly Validation[]) {
    this.#conditions = conditions;
    this.#variables = variables;
    this.#validations = validations;
  }

  check(request: AdmissionVariables, options: EvaluateOptions = {}): readonly PolicyFailure[] {
    const match = this.#conditions.evaluate(request, options);
    if ('errors' in match) return [{ message: aggregate(match.errors), reason: 'Invalid', evaluationError: true }];
    if (!match.matches) return [];
    const own = bindingsOf(request);
    const bindings: Bindings = { ...own, variables: composedVariables(this.#variables, own, options) };
    return this.#validations.flatMap((validation) => checkOne(validation, bindings, options) ?? []);
  }
}

function checkOne({ validation, condition, message }: Validation, bindings: Bindings, limits: EvaluateOptions): PolicyFailure | undefined {
  const value = evaluateExpression(condition, { bindings, limits });
  if (value === true) return undefined;
  if (typeof value === 'object' && value !== null && 'failed' in value)
    return { message: value.failed, reason: 'Invalid', evaluationError: true };
  const made = message === undefined ? '' : evaluateExpression(message, { bindings, limits });
  const text =
    (typeof made === 'string' ? usableMessage(made) : undefined) ??
    (validation.message === undefined || validation.message === ''
      ? `failed expression: ${validation.expression.trim()}`
      : validation.message.trim());
  return { message: text, reason: validation.reason ?? 'Invalid' };
}
