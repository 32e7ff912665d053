import { formatType } from '../types/index.js';
import { type Call, type CallCost, elementsOf, type Operand, type SizeOfPath, sizeIn } from './operand.js';
import { add, addRanges, multiplyRanges, NOTHING, quotient, type SizeRange, scaled, times, wrapped } from './range.js';
import { LIST_CREATION, PER_REGEX_RUNE, PER_RUNE, STRUCT_CREATION } from './standard-cost.js';

type Estimate = (call: Call, sizeOf: (operand: Operand) => SizeRange) => CallCost | undefined;

const one: Estimate = () => ({ cost: 1n });
/** Reads its only argument once. */
const parsing: Estimate = ({ args: [first] }, sizeOf) => first && { cost: scaled(sizeOf(first).max, PER_RUNE) };
/** Reads the text it is called on, and makes one as long. */
const rewriting: Estimate = ({ target }, sizeOf) => target && sameSize(sizeOf(target));
const sameSize = (size: SizeRange): CallCost => ({ cost: scaled(size.max, PER_RUNE), resultSize: size });

/** Two authorization checks fit into one expression. */
const AUTHORIZATION_CHECK = 350_000n;
/** Bytes of an IPv6 address. */
const LONGEST_ADDRESS = 16n;
const LONGEST_NAMED_REGEX = 128;
const LONGEST_FORMAT = 64n;

const check: Estimate = () => ({ cost: AUTHORIZATION_CHECK });

/** `k,` is the shortest requirement of a selector; each makes a list and a struct. */
const selector: Estimate = ({ args }, sizeOf) => {
  const [first] = args;
  if (first === undefined || args.length !== 1) return undefined;
  const length = sizeOf(first).max;
  const requirements = scaled(scaled(length, 0.5), Number(LIST_CREATION + STRUCT_CREATION));
  return { cost: add(add(LIST_CREATION, scaled(length, PER_RUNE)), requirements) };
};

/** Compares or adds each element once, and reads it if it is a text. */
const overElements: Estimate = ({ name, target }, sizeOf) => {
  if (target === undefined) return undefined;
  const element = elementsOf(target);
  if (element === undefined) return { cost: name === 'includes' ? sizeOf(target).max : scaled(sizeOf(target).max, PER_RUNE) };
  const isText = element.type.kind === 'string' || element.type.kind === 'bytes';
  const each = isText ? add(1n, scaled(sizeOf(element).max, PER_RUNE)) : 1n;
  return { cost: times(sizeOf(target).max, each) };
};

const replace: Estimate = ({ target, args: [from, to] }, sizeOf) => {
  if (target === undefined || from === undefined || to === undefined) return undefined;
  const text = sizeOf(target);
  const resultSize = replacedSize(text, sizeOf(from), sizeOf(to));
  return { cost: scaled(text.max, 2 * PER_RUNE), resultSize };
};

/** A text in which every occurrence is replaced; the empty text occurs before, between and behind all letters. */
function replacedSize(text: SizeRange, from: SizeRange, to: SizeRange): SizeRange {
  const longest = replacements(text.max, from.min, to.max <= from.min);
  const shortest = replacements(text.min, from.max, from.max <= to.min);
  const replaced = multiplyRanges({ min: shortest.count, max: longest.count }, to);
  return addRanges(replaced, { min: shortest.kept, max: longest.kept });
}

function replacements(length: bigint, replaced: bigint, keepsLength: boolean): { readonly count: bigint; readonly kept: bigint } {
  if (replaced === 0n) return { count: add(length, 1n), kept: length };
  return keepsLength ? { count: 0n, kept: length } : { count: quotient(length, replaced), kept: 0n };
}

const split: Estimate = ({ target, args }, sizeOf) => {
  if (target === undefined) return undefined;
  const { max } = sizeOf(target);
  const limit = args[1]?.expr;
  const parts = limit?.node === 'literal' && limit.literal.kind === 'int' ? wrapped(limit.literal.value) : max;
  return { cost: scaled(max, 2 * PER_RUNE), resultSize: { min: 0n, max: parts } };
};

const join: Estimate = ({ target, args: [separator] }, sizeOf) => {
  if (target === undefined) return undefined;
  const list = sizeOf(target);
  const element = elementsOf(target);
  let resultSize = element === undefined ? NOTHING : multiplyRanges(list, sizeOf(element));
  if (separator !== undefined) {
    const between = (count: bigint) => (count > 0n ? count - 1n : 0n);
    resultSize = addRanges(resultSize, multiplyRanges(sizeOf(separator), { min: between(list.min), max: between(list.max) }));
  }
  return sameSize(resultSize);
};

const find: Estimate = ({ target, args: [regex] }, sizeOf) => {
  if (target === undefined || regex === undefined) return undefined;
  const text = sizeOf(target);
  const cost = times(scaled(add(text.max, 1n), PER_RUNE), scaled(sizeOf(regex).max, PER_REGEX_RUNE));
  return { cost, resultSize: { min: 0n, max: text.max } };
};

/** Reads the address and compares it with its canonical form. */
const isCanonical: Estimate = ({ args: [first] }, sizeOf) => first && { cost: scaled(sizeOf(first).max, 2 * PER_RUNE) };

const ip: Estimate = (call, sizeOf) => (call.signature === 'net.CIDR.()' ? one(call, sizeOf) : parsing(call, sizeOf));

/** A text among the arguments is parsed first. */
function containment(ofAddresses: bigint): Estimate {
  return ({ signature, args: [other] }, sizeOf) => {
    if (other === undefined) return undefined;
    const parsed = signature === 'net.CIDR.(string)' ? scaled(sizeOf(other).max, PER_RUNE) : 0n;
    return { cost: add(ofAddresses, parsed) };
  };
}

const COMPARED_ADDRESSES = scaled(2n * LONGEST_ADDRESS, PER_RUNE);
const MASKED_ADDRESS = scaled(LONGEST_ADDRESS, PER_RUNE) + 1n;

const validate: Estimate = ({ args: [text] }, sizeOf) =>
  text && { cost: scaled(scaled(sizeOf(text).max, PER_RUNE), LONGEST_NAMED_REGEX * PER_REGEX_RUNE) };

const SINGLE_VALUES: ReadonlySet<string> = new Set([
  'net.IP',
  'net.CIDR',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  ...['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'].map((name) => `kubernetes.authorization.${name}`),
]);

/** Values of the libraries are compared without reading a text. */
const equality: Estimate = ({ args }) => {
  const [left, right] = args;
  if (left === undefined || right === undefined || formatType(left.type) !== formatType(right.type)) return undefined;
  const type = formatType(left.type);
  if (SINGLE_VALUES.has(type)) return { cost: 1n };
  if (type === 'kubernetes.NamedFormat') return { cost: scaled(LONGEST_FORMAT, PER_RUNE) };
  // The API server looks at the right side alone.
  return type === 'kubernetes.URL' ? { cost: scaled(right.size?.max ?? 1n, PER_RUNE) } : undefined;
};

const named = (estimate: Estimate, names: string): readonly (readonly [string, Estimate])[] =>
  names.split(' ').map((name) => [name, estimate] as const);

const ESTIMATES: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ['check', check],
  ...named(one, 'serviceAccount path group resource subresource namespace name allowed reason error errored'),
  ...named(selector, 'fieldSelector labelSelector'),
  ...named(overElements, 'isSorted sum max min indexOf lastIndexOf includes'),
  ['url', ({ args: [text] }, sizeOf) => text && sameSize(sizeOf(text))],
  ...named(rewriting, 'jsonpatch.escapeKey lowerAscii upperAscii substring trim'),
  ['replace', replace],
  ['split', split],
  ['join', join],
  ...named(find, 'find findAll'),
  ...named(parsing, 'cidr isIP isCIDR quantity isQuantity semver isSemver'),
  ['ip', ip],
  ['ip.isCanonical', isCanonical],
  ...named(one, 'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast'),
  ['containsIP', containment(COMPARED_ADDRESSES)],
  ['containsCIDR', containment(COMPARED_ADDRESSES + MASKED_ADDRESS)],
  ['validate', validate],
  ...named(one, 'format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch'),
  ...named(one, 'getScheme getHostname getHost getPort getEscapedPath getQuery'),
  ['_==_', equality],
]);

/**
 * Cost of a function of Kubernetes' libraries without its arguments; `undefined` for other functions.
 *
 * Source: apiserver, `pkg/cel/library/cost.go` (EstimateCallCost).
 */
export function libraryCost(call: Call, sizeOfPath: SizeOfPath): CallCost | undefined {
  return ESTIMATES.get(call.name)?.(call, (operand) => sizeIn(operand, sizeOfPath));
}
