import { type Call, type CallCost, type Operand, type SizeOfPath, sizeIn } from './operand.js';
import { add, ENDLESS, exactly, multiplyRanges, type SizeRange, scaled, wrapped } from './range.js';
import { LIST_CREATION, PER_RUNE } from './standard-cost.js';

type SizeOf = (operand: Operand) => SizeRange;

/**
 * Cost of the functions of sets and of lists without their arguments; `undefined` for other functions.
 *
 * Source: cel-go, `ext/sets.go` (estimateSetsCost) and `ext/lists.go`.
 */
export function listCost(call: Call, sizeOfPath: SizeOfPath): CallCost | undefined {
  const sizeOf: SizeOf = (operand) => sizeIn(operand, sizeOfPath);
  const { name, target, args } = call;
  const [first, second] = args;
  if (name.startsWith('sets.')) return first && second && eachWithEach(sizeOf(first), sizeOf(second), name === 'sets.equivalent' ? 2 : 1);
  if (name === 'lists.range') return first && allocation(1, exactly(literalSize(first, ENDLESS)));
  if (target === undefined) return undefined;
  return madeOf(call, target, sizeOf);
}

function madeOf({ name, signature, args: [first, second] }: Call, target: Operand, sizeOf: SizeOf): CallCost | undefined {
  switch (name) {
    case 'slice':
      return first && second && allocation(1, exactly(wrapped(literalSize(second, sizeOf(target).max) - literalSize(first, 0n))));
    case 'flatten':
      return allocation(first === undefined ? 1 : Number(literalSize(first, ENDLESS)), sizeOf(target));
    case 'reverse':
      return allocation(1, sizeOf(target));
    case 'distinct':
      return allocation(2, multiplyRanges(sizeOf(target), sizeOf(target)));
    case 'sort':
      return sorting(sizeOf(target), signature.slice(0, signature.indexOf('.')));
    case '@sortByAssociatedKeys':
      return first && sorting(sizeOf(first), signature.slice(signature.indexOf('(list(', 5) + 1, -1));
    default:
      return undefined;
  }
}

function eachWithEach(left: SizeRange, right: SizeRange, factor: number): CallCost {
  return { cost: add(scaled(multiplyRanges(left, right).max, factor), 1n) };
}

function sorting(size: SizeRange, keys: string): CallCost {
  const isText = keys === 'list(string)' || keys === 'list(bytes)';
  return allocation(isText ? 2 + PER_RUNE : 2, multiplyRanges(size, size));
}

function allocation(factor: number, size: SizeRange): CallCost {
  return { cost: add(add(scaled(size.max, factor), 1n), LIST_CREATION), resultSize: size };
}

function literalSize({ expr }: Operand, otherwise: bigint): bigint {
  if (expr?.node !== 'literal' || expr.literal.kind !== 'int') return otherwise;
  return expr.literal.value < 0n ? 0n : expr.literal.value;
}
