import type { Implementation } from '../values/index.js';
import {
  addQuantities,
  type CelOpaque,
  type CelValue,
  celError,
  compareQuantities,
  compareSemver,
  isError,
  kindOf,
  listValue,
  opaqueValue,
  optional,
  parseQuantity,
  parseSemver,
  type Quantity,
  quantityOfInt,
  type Semver,
} from '../values/index.js';
import { NAMED_FORMATS } from './named-formats.js';

const QUANTITY = 'kubernetes.Quantity';
const SEMVER = 'kubernetes.Semver';
const NAMED_FORMAT = 'kubernetes.NamedFormat';

function dataOf<T>(value: CelValue | undefined, typeName: string): T | undefined {
  if (value === undefined || kindOf(value) !== 'opaque' || (value as CelOpaque).typeName !== typeName) return undefined;
  return (value as CelOpaque).data as T;
}

function ofQuantity(run: (quantity: Quantity) => CelValue): Implementation {
  return ([value]) => {
    const quantity = dataOf<Quantity>(value, QUANTITY);
    return quantity === undefined ? undefined : run(quantity);
  };
}

/** Quantities and versions share the names of their comparisons. */
function ofPair(run: (order: number) => CelValue): Implementation {
  return ([a, b]) => {
    const [left, right] = [dataOf<Quantity>(a, QUANTITY), dataOf<Quantity>(b, QUANTITY)];
    if (left !== undefined && right !== undefined) return run(compareQuantities(left, right));
    const [first, second] = [dataOf<Semver>(a, SEMVER), dataOf<Semver>(b, SEMVER)];
    return first !== undefined && second !== undefined ? run(compareSemver(first, second)) : undefined;
  };
}

function arithmetic(sign: 1n | -1n): Implementation {
  return ([a, b]) => {
    const left = dataOf<Quantity>(a, QUANTITY);
    const right = typeof b === 'bigint' ? quantityOfInt(b) : dataOf<Quantity>(b, QUANTITY);
    return left === undefined || right === undefined ? undefined : opaqueValue(QUANTITY, addQuantities(left, right, sign));
  };
}

function toQuantity([text]: readonly CelValue[]): CelValue | undefined {
  if (typeof text !== 'string') return undefined;
  const parsed = parseQuantity(text);
  return typeof parsed === 'string' ? celError(parsed) : opaqueValue(QUANTITY, parsed);
}

function toSemver([text, normalize]: readonly CelValue[]): CelValue | undefined {
  if (typeof text !== 'string' || (normalize !== undefined && typeof normalize !== 'boolean')) return undefined;
  const parsed = parseSemver(text, normalize === true);
  return typeof parsed === 'string' ? celError(parsed) : opaqueValue(SEMVER, parsed);
}

function isValid(parse: Implementation): Implementation {
  return (args) => {
    const parsed = parse(args);
    return parsed === undefined ? undefined : !isError(parsed);
  };
}

function ofSemver(run: (version: Semver) => CelValue): Implementation {
  return ([value]) => {
    const version = dataOf<Semver>(value, SEMVER);
    return version === undefined ? undefined : run(version);
  };
}

function validate([format, text]: readonly CelValue[]): CelValue | undefined {
  const name = dataOf<string>(format, NAMED_FORMAT);
  if (name === undefined || typeof text !== 'string') return undefined;
  const problems = NAMED_FORMATS[name]?.(text) ?? [];
  return optional(problems.length === 0 ? undefined : listValue(problems));
}

const formatGetters: Record<string, Implementation> = Object.fromEntries(
  Object.keys(NAMED_FORMATS).map((name) => [`format.${name}`, () => opaqueValue(NAMED_FORMAT, name)]),
);

export const KUBERNETES_FUNCTIONS: Readonly<Record<string, Implementation>> = {
  quantity: toQuantity,
  isQuantity: isValid(toQuantity),
  isInteger: ofQuantity((quantity) => quantity.int !== undefined),
  asInteger: ofQuantity((quantity) => quantity.int ?? celError('cannot convert value to integer')),
  asApproximateFloat: ofQuantity((quantity) => Number(quantity.nano) / 1e9),
  sign: ofQuantity((quantity) => (quantity.nano > 0n ? 1n : quantity.nano < 0n ? -1n : 0n)),
  add: arithmetic(1n),
  sub: arithmetic(-1n),
  compareTo: ofPair((order) => BigInt(order)),
  isGreaterThan: ofPair((order) => order > 0),
  isLessThan: ofPair((order) => order < 0),
  semver: toSemver,
  isSemver: isValid(toSemver),
  major: ofSemver((version) => version.numbers[0]),
  minor: ofSemver((version) => version.numbers[1]),
  patch: ofSemver((version) => version.numbers[2]),
  ...formatGetters,
  'format.named': ([name]) =>
    typeof name === 'string' ? optional(Object.hasOwn(NAMED_FORMATS, name) ? opaqueValue(NAMED_FORMAT, name) : undefined) : undefined,
  validate,
};
