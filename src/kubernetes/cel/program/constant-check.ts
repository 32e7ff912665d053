import type { Checked } from '../check/index.js';
import { compilePattern } from '../library/index.js';
import type { CallNode, Expr } from '../syntax/index.js';
import { childrenOf, qualifiedName } from '../syntax/index.js';
import { type CelValue, goTypeName, isError, kindOf, type ValueKind } from '../values/index.js';
import { isConversion } from './conversions.js';
import { plan } from './plan.js';

const INDEXES: ReadonlySet<string> = new Set(['_[_]', '_[?_]']);
const PATTERN_POSITION: Readonly<Record<string, number>> = { matches: 1, find: 1, findAll: 1 };

/** The first constant of a checked expression that makes its program impossible, in the API server's words. */
export function checkConstants(root: Expr, checked: Checked): string | undefined {
  const constants = new Map<Expr, boolean>();
  const visit = (expr: Expr): string | undefined => {
    // A macro may use a node several times.
    if (constants.has(expr)) return undefined;
    for (const child of childrenOf(expr)) {
      const problem = visit(child);
      if (problem !== undefined) return problem;
    }
    const constant = isConstant(expr, constants);
    constants.set(expr, constant);
    if (expr.node !== 'call') return nameProblem(expr, checked);
    const [, key] = expr.args;
    const badKey = INDEXES.has(expr.name) && key !== undefined && constants.get(key) === true ? keyProblem(key, checked) : undefined;
    return patternProblem(expr, checked) ?? badKey ?? (constant ? conversionProblem(expr, checked) : undefined);
  };
  return visit(root);
}

/** Only the checker knows the types of patches: a name of one is not a value. */
function nameProblem(expr: Expr, { types }: Checked): string | undefined {
  const type = types.get(expr);
  if (type?.kind !== 'type' || type.of?.kind !== 'object') return undefined;
  const name = qualifiedName(expr);
  return name === undefined ? undefined : `reference to undefined type: ${name}`;
}

function isConstant(expr: Expr, known: ReadonlyMap<Expr, boolean>): boolean {
  switch (expr.node) {
    case 'literal':
      return true;
    case 'list':
      return expr.optional.size === 0 && childrenOf(expr).every((child) => known.get(child));
    case 'map':
      return !expr.entries.some((entry) => entry.optional) && childrenOf(expr).every((child) => known.get(child));
    case 'call': {
      const [argument, ...others] = expr.args;
      const converts = expr.target === undefined && isConversion(expr.name) && others.length === 0;
      return converts && argument !== undefined && known.get(argument) === true;
    }
    default:
      return false;
  }
}

function patternProblem(call: CallNode, checked: Checked): string | undefined {
  const args = call.target === undefined || checked.namespaced.has(call) ? call.args : [call.target, ...call.args];
  const pattern = args[PATTERN_POSITION[call.name] ?? -1];
  if (pattern?.node !== 'literal' || pattern.literal.kind !== 'string') return undefined;
  const compiled = compilePattern(pattern.literal.value);
  return typeof compiled === 'string' ? compiled : undefined;
}

const KEY_KINDS: readonly ValueKind[] = ['string', 'int', 'uint', 'double', 'bool', 'error'];

/** `x[null]`, `x[[1]]`: no container has such keys. */
function keyProblem(key: Expr, checked: Checked): string | undefined {
  const value = constantValue(key, checked);
  return KEY_KINDS.includes(kindOf(value)) ? undefined : `invalid qualifier type: ${goTypeName(value) ?? 'ref.Val'}`;
}

function conversionProblem(call: CallNode, checked: Checked): string | undefined {
  const value = constantValue(call, checked);
  return isError(value) ? value.message : undefined;
}

function constantValue(constant: Expr, checked: Checked): CelValue {
  const { step, slots } = plan(constant, checked);
  return step({ bindings: {}, slots: new Array<CelValue | undefined>(slots), cost: 0, limit: Number.POSITIVE_INFINITY });
}
