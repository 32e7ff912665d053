import { check, checkLiterals } from '../check/index.js';
import { type CostEstimate, estimateCost, type SchemaSize } from '../cost/index.js';
import type { CelProblem } from '../syntax/index.js';
import { parse } from '../syntax/index.js';
import { type CelType, DYN, hasSortBy, type Libraries } from '../types/index.js';
import { CelEvaluationError, type CelValue, isError } from '../values/index.js';
import { checkConstants } from './constant-check.js';
import { type Frame, OUT_OF_BUDGET } from './frame.js';
import { plan } from './plan.js';

export interface CompileOptions {
  /** Variables and their types. */
  readonly variables: Readonly<Record<string, CelType>>;
  /**
   * Which libraries the expression may use.
   * @defaultValue `new`, as the API server judges new objects
   */
  readonly libraries?: Libraries;
  /** Whether the expression makes a patch: `Object`, `JSONPatch` and their functions are known. @defaultValue false */
  readonly patches?: boolean;
}

export interface EvaluateOptions {
  /**
   * Limit of an evaluation's cost, in the API server's units.
   * @defaultValue 1_000_000, the API server's limit for one expression
   */
  readonly costLimit?: number;
  /** Is given what the evaluation has cost, also when it fails. */
  readonly onCost?: (cost: number) => void;
}

/** An expression ready to be evaluated. Keeps no state between evaluations. */
export interface CelProgram {
  readonly source: string;
  readonly resultType: CelType;
  /** The variables that occur, for example `oldSelf`. */
  readonly references: ReadonlySet<string>;
  /**
   * Upper bound of its cost.
   *
   * @param self - the size of what the variables stand for
   */
  estimate(self: SchemaSize): CostEstimate;
  /**
   * Evaluates with the given values.
   * @throws CelEvaluationError when the expression fails or `costLimit` is exceeded
   */
  evaluate(bindings: Readonly<Record<string, CelValue | undefined>>, options?: EvaluateOptions): CelValue;
}

export type CompileResult =
  | { readonly ok: true; readonly program: CelProgram }
  /** `resultType`: the expression has one, but no program can be made of it. */
  | { readonly ok: false; readonly problems: readonly CelProblem[]; readonly resultType?: CelType };

/** As apiserver, `pkg/apis/cel/config.go` (PerCallLimit). */
const COST_LIMIT = 1_000_000;

/** Parses and type-checks an expression. Throws for no text. */
export function compile(source: string, options: CompileOptions): CompileResult {
  const libraries = options.libraries ?? 'new';
  const parsed = parse(source, { lists: hasSortBy(libraries), backticks: libraries !== 'portable' });
  if (!parsed.ok) return parsed;
  const checked = check(source, parsed.expr, {
    variables: new Map(Object.entries(options.variables)),
    libraries,
    patches: options.patches ?? false,
  });
  if (checked.problems.length > 0) return { ok: false, problems: checked.problems };
  const literalProblems = checkLiterals(source, parsed.expr, checked);
  if (literalProblems.length > 0) return { ok: false, problems: literalProblems };
  const resultType = checked.types.get(parsed.expr) ?? DYN;
  const constantProblem = checkConstants(parsed.expr, checked);
  if (constantProblem !== undefined)
    return { ok: false, problems: [{ message: constantProblem, line: 0, column: 0, phase: 'instantiation' }], resultType };
  const { step, slots } = plan(parsed.expr, checked);
  const evaluate: CelProgram['evaluate'] = (bindings, { costLimit = COST_LIMIT, onCost } = {}) => {
    const frame: Frame = { bindings, slots: new Array<CelValue | undefined>(slots), cost: 0, limit: costLimit };
    const value = run(step, frame, onCost);
    if (isError(value)) throw new CelEvaluationError(value.message);
    return value;
  };
  const estimate: CelProgram['estimate'] = (self) => estimateCost(parsed.expr, checked, self);
  return { ok: true, program: { source, resultType, references: checked.references, estimate, evaluate } };
}

function run(step: (frame: Frame) => CelValue, frame: Frame, onCost: EvaluateOptions['onCost']): CelValue {
  try {
    return step(frame);
  } catch (error) {
    if (error === OUT_OF_BUDGET) throw new CelEvaluationError('operation cancelled: actual cost limit exceeded', { budgetExceeded: true });
    throw error;
  } finally {
    onCost?.(frame.cost);
  }
}
