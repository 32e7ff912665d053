import type { CelProgram, EvaluateOptions } from '../program/index.js';
import type { Libraries } from '../types/index.js';
import type { CelValue } from '../values/index.js';
import { CelEvaluationError } from '../values/index.js';
import { compileAdmissionExpression } from './admission-expression.js';
import { type AdmissionVariables, bindingsOf } from './admission-variables.js';

export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

export interface AdmissionProblem {
  /** Below the policy's `spec` or the webhook, for example `matchConditions[0].expression`. */
  readonly field: string;
  readonly detail: string;
}

/** `errors`: what could not be evaluated while no condition was false; the `failurePolicy` decides then. */
export type MatchOutcome = { readonly matches: boolean } | { readonly errors: readonly string[] };

export interface CompiledMatchConditions {
  evaluate(request: AdmissionVariables, options?: EvaluateOptions): MatchOutcome;
}

export type MatchConditionsResult =
  | { readonly ok: true; readonly compiled: CompiledMatchConditions }
  | { readonly ok: false; readonly problems: readonly AdmissionProblem[] };

export interface MatchConditionsOptions {
  /** Whether they belong to a policy with a `paramKind`. @defaultValue false */
  readonly params?: boolean;
  /** See {@link CompileOptions.libraries}. @defaultValue `new` */
  readonly libraries?: Libraries;
}

/** Compiles the match conditions of a webhook or a policy. */
export function compileMatchConditions(
  conditions: readonly NamedExpression[],
  options: MatchConditionsOptions = {},
): MatchConditionsResult {
  const problems: AdmissionProblem[] = [];
  const programs: CelProgram[] = [];
  for (const [index, { expression }] of conditions.entries()) {
    const field = `matchConditions[${index}].expression`;
    const source = expression.trim();
    const result =
      source === ''
        ? { ok: false as const, detail: '' }
        : compileAdmissionExpression(source, { ...options, place: 'matchCondition', results: ['bool'] });
    if (result.ok) programs.push(result.program);
    else problems.push({ field, detail: result.detail });
  }
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, compiled: { evaluate: (request, limits = {}) => evaluate(programs, request, limits) } };
}

function evaluate(programs: readonly CelProgram[], request: AdmissionVariables, limits: EvaluateOptions): MatchOutcome {
  // The API server does not look up the namespace here: `namespaceObject` is declared, and always null.
  const bindings = bindingsOf({ ...request, namespaceObject: null });
  const errors: string[] = [];
  for (const program of programs) {
    const value = evaluateExpression(program, { bindings, limits });
    if (value === false) return { matches: false };
    if (typeof value === 'object' && value !== null && 'failed' in value) errors.push(value.failed);
  }
  return errors.length === 0 ? { matches: true } : { errors };
}

/** The value of an expression, or in the API server's words why it has none. */
export function evaluateExpression(
  program: CelProgram,
  { bindings, limits }: { readonly bindings: Readonly<Record<string, CelValue | undefined>>; readonly limits: EvaluateOptions },
): CelValue | { readonly failed: string } {
  try {
    return program.evaluate(bindings, limits);
  } catch (error) {
    if (error instanceof CelEvaluationError) return { failed: `expression '${program.source}' resulted in error: ${error.message}` };
    throw error;
  }
}

/** Several errors as Go's aggregate writes them. */
export function aggregate(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(', ')}]`;
}
