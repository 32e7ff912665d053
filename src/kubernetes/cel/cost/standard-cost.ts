import { type Call, type CallCost, knownSize, type Operand } from './operand.js';
import { addRanges, exactly, scaled, smaller, times, wrapped } from './range.js';

/** Cost to read a text once, per rune. */
export const PER_RUNE = 0.1;
/** Cost of a regular expression beside the text, per rune of the expression. */
export const PER_REGEX_RUNE = 0.25;
export const LIST_CREATION = 10n;
export const MAP_CREATION = 30n;
export const STRUCT_CREATION = 40n;

const COMPARISONS: ReadonlySet<string> = new Set(['_<_', '_<=_', '_>_', '_>=_']);
const TEXT_SIGNATURES: ReadonlySet<string> = new Set(['(string, string)', '(bytes, bytes)']);

/**
 * Cost of a function of the language itself without its arguments; `undefined` where it costs 1.
 *
 * Source: cel-go, `checker/cost.go` (functionCost).
 */
export function standardCost(call: Call): CallCost | undefined {
  const { name, signature, args } = call;
  const [first, second] = args;
  if (name === '_==_' || name === '_!=_' || (COMPARISONS.has(name) && TEXT_SIGNATURES.has(signature))) return comparison(args);
  if (name === '_+_') return concatenation(signature, args);
  if (name === '@in') return signature === '(A, list(A))' && second !== undefined ? { cost: knownSize(second).max } : undefined;
  if (first === undefined) return undefined;
  if (call.target !== undefined) return textFunction(call, call.target, first);
  return name === 'matches' && second !== undefined ? matching(first, second) : conversion(call, first);
}

function comparison(args: readonly Operand[]): CallCost {
  const [left, right] = args as [Operand, Operand];
  return { cost: scaled(smaller(knownSize(left).max, knownSize(right).max), PER_RUNE) };
}

function concatenation(signature: string, args: readonly Operand[]): CallCost | undefined {
  const [left, right] = args as [Operand, Operand];
  const isList = signature === '(list(A), list(A))';
  if (!isList && !TEXT_SIGNATURES.has(signature)) return undefined;
  const resultSize = addRanges(knownSize(left), knownSize(right));
  return { cost: isList ? 1n : scaled(resultSize.max, PER_RUNE), resultSize };
}

function conversion({ name, signature }: Call, argument: Operand): CallCost | undefined {
  const { min, max } = knownSize(argument);
  const cost = scaled(max, PER_RUNE);
  if (name === 'bytes' && signature === '(string)') return { cost, resultSize: { min, max: wrapped(max * 4n) } };
  if (name === 'string' && signature === '(bytes)') return { cost, resultSize: { min: min / 4n, max } };
  // An endless text overflows to nothing here: quoted, it is free.
  if (name === 'strings.quote') return { cost, resultSize: { min: wrapped(min + 2n), max: wrapped(max * 2n + 2n) } };
  return undefined;
}

function matching(text: Operand, pattern: Operand): CallCost {
  const runes = addRanges(knownSize(text), exactly(1n));
  return { cost: times(scaled(runes.max, PER_RUNE), scaled(knownSize(pattern).max, PER_REGEX_RUNE)) };
}

function textFunction({ name, signature }: Call, target: Operand, argument: Operand): CallCost | undefined {
  if (name === 'format') return { cost: scaled(knownSize(target).max, PER_RUNE) };
  if (signature !== 'string.(string)') return undefined;
  switch (name) {
    case 'startsWith':
    case 'endsWith':
      return { cost: scaled(knownSize(argument).max, PER_RUNE) };
    case 'matches':
      return matching(target, argument);
    case 'contains':
      return { cost: times(scaled(knownSize(target).max, PER_RUNE), scaled(knownSize(argument).max, PER_RUNE)) };
    default:
      return undefined;
  }
}
