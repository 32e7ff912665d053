import { type CelList, type CelMap, type CelOpaque, type CelValue, elementsOf, kindOf } from '../values/index.js';
import { NAMED_FORMAT_REGEX_RUNES } from './named-format-sizes.js';
import { PER_REGEX_RUNE, PER_RUNE } from './standard-cost.js';

/** Cost of a call without its arguments. Charged before the call is made, so that an expensive call does not run first. */
export type Charge = (args: readonly CelValue[]) => number;

const ONE: Charge = () => 1;
const NOTHING: Charge = () => 0;
const LIST_CREATION = 10;
const AUTHORIZATION_CHECK = 350_000;

/** Elements, entries, runes or bytes; 1 for what has no size. */
function sizeOf(value: CelValue | undefined): number {
  switch (value === undefined ? 'null' : kindOf(value)) {
    case 'string':
      return runesIn(value as string);
    case 'bytes':
      return (value as Uint8Array).length;
    case 'list':
    case 'map':
      return (value as CelList | CelMap).size;
    case 'opaque':
      return addressSize(value as CelOpaque);
    default:
      return 1;
  }
}

const ASTRAL = /[\ud800-\udbff]/;

function runesIn(text: string): number {
  return ASTRAL.test(text) ? [...text].length : text.length;
}

/** Bytes of an address, or of the prefix of a range. */
function addressSize({ typeName, data }: CelOpaque): number {
  if (typeName === 'net.IP') return (data as { readonly bytes: readonly number[] }).bytes.length;
  return typeName === 'net.CIDR' ? Math.ceil((data as { readonly prefix: number }).prefix / 8) : 1;
}

const runes = (size: number, factor: number): number => Math.ceil(size * factor);
const reading: Charge = ([first]) => runes(sizeOf(first), PER_RUNE);
const rewriting: Charge = ([first]) => runes(sizeOf(first) * 2, PER_RUNE);
const regex = (text: number, pattern: number): number => runes(1 + text, PER_RUNE) * runes(pattern, PER_REGEX_RUNE);
const searching: Charge = ([text, pattern]) => regex(sizeOf(text), sizeOf(pattern));

/** Go through all of a value. Unlike everywhere else a text counts in bytes, rounded down. */
function traversal(value: CelValue): number {
  switch (kindOf(value)) {
    case 'string':
      return Math.floor(new TextEncoder().encode(value as string).length * PER_RUNE);
    case 'bytes':
      return Math.floor((value as Uint8Array).length * PER_RUNE);
    case 'list':
      return elementsOf(value as CelList).reduce((sum: number, element) => sum + traversal(element), 0);
    case 'map':
      return [...(value as CelMap).keys()].reduce(
        (sum: number, key) => sum + traversal(key) + traversal((value as CelMap).get(key) ?? null),
        0,
      );
    default:
      return 1;
  }
}

const selector: Charge = (args) => {
  const length = sizeOf(args[1]);
  return LIST_CREATION + runes(length, PER_RUNE) + runes(length, 0.5) * 50;
};

/** A text is parsed first; of an argument of no known type cel-go does not ask. */
function containment(name: string, signature: string): Charge | undefined {
  if (name !== 'containsIP' && name !== 'containsCIDR') return undefined;
  const isParsed = signature === 'net.CIDR.(string)';
  return ([range, other]) => {
    const size = sizeOf(range);
    const masked = name === 'containsCIDR' ? runes(size, PER_RUNE) + 1 : 0;
    return runes(size + size, PER_RUNE) + masked + (isParsed ? runes(sizeOf(other), PER_RUNE) : 0);
  };
}

const validate: Charge = ([format, text]) => regex(sizeOf(text), NAMED_FORMAT_REGEX_RUNES[(format as CelOpaque).data as string] ?? 1);

const named = (charge: Charge, names: string): readonly (readonly [string, Charge])[] =>
  names.split(' ').map((name) => [name, charge] as const);

/** For Kubernetes' libraries, whatever the overload. As apiserver, `pkg/cel/library/cost.go` (CallCost). */
const LIBRARY: ReadonlyMap<string, Charge> = new Map<string, Charge>([
  ['check', () => AUTHORIZATION_CHECK],
  ...named(ONE, 'serviceAccount path group resource subresource namespace name allowed reason error errored'),
  ...named(selector, 'fieldSelector labelSelector'),
  ...named(([first]) => traversal(first ?? null), 'isSorted sum max min indexOf lastIndexOf includes'),
  ...named(reading, 'jsonpatch.escapeKey url lowerAscii upperAscii substring trim cidr isIP isCIDR quantity isQuantity semver isSemver'),
  ...named(rewriting, 'replace split ip.isCanonical'),
  ['join', NOTHING],
  ...named(searching, 'find findAll'),
  ['ip', (args) => (typeof args[0] === 'string' ? reading(args) : 1)],
  ['validate', validate],
]);

const TEXT_SIGNATURES: ReadonlySet<string> = new Set(['(string, string)', '(bytes, bytes)']);
const ORDERS: ReadonlySet<string> = new Set(['_<_', '_<=_', '_>_', '_>=_']);

const comparing: Charge = ([left, right]) => {
  // Two values of a library, such as quantities, are compared at once.
  if (left !== undefined && kindOf(left) === 'opaque') return 1;
  return runes(Math.min(innerSize(left), innerSize(right)), PER_RUNE);
};

/** An optional is as large as what it holds. */
function innerSize(value: CelValue | undefined): number {
  if (typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'optional' && value.value !== undefined)
    return innerSize(value.value);
  return sizeOf(value);
}

/**
 * How a call is charged while an expression runs.
 *
 * @param signatures - of the overloads that fit; where there are several, cel-go knows none of them and charges 1
 * @see cel-go, `interpreter/runtimecost.go` (costCall)
 */
export function chargeOf(name: string, signatures: readonly string[]): Charge {
  const [first = '', ...others] = signatures;
  const signature = others.length === 0 ? first : '';
  return setOrListCharge(name, signature) ?? containment(name, signature) ?? LIBRARY.get(name) ?? standardCharge(name, signature) ?? ONE;
}

function standardCharge(name: string, signature: string): Charge | undefined {
  if (name === '_==_' || name === '_!=_') return comparing;
  if (ORDERS.has(name)) return TEXT_SIGNATURES.has(signature) ? comparing : ONE;
  if (name === '_+_') return TEXT_SIGNATURES.has(signature) ? ([a, b]) => runes(sizeOf(a) + sizeOf(b), PER_RUNE) : ONE;
  switch (`${name} ${signature}`) {
    case '@in (A, list(A))':
      return ([, list]) => sizeOf(list);
    case 'matches string.(string)':
    case 'matches (string, string)':
      return searching;
    case 'contains string.(string)':
      return ([text, part]) => runes(sizeOf(text), PER_RUNE) * runes(sizeOf(part), PER_RUNE);
    case 'startsWith string.(string)':
    case 'endsWith string.(string)':
      return ([, part]) => runes(sizeOf(part), PER_RUNE);
    case 'bytes (string)':
    case 'string (bytes)':
    case 'strings.quote (string)':
    case 'format string.(list(dyn))':
      return reading;
    default:
      return undefined;
  }
}

/** Cost of a call by its result; `undefined`: nothing more. */
export function chargeOfResult(name: string, signatures: readonly string[]): ((result: CelValue) => number) | undefined {
  if (name === 'join') return (result) => runes(sizeOf(result) * 2, PER_RUNE);
  return signatures.length === 1 && MADE.has(name) ? (result) => sizeOf(result) + 1 + LIST_CREATION : undefined;
}

const MADE: ReadonlySet<string> = new Set(['slice', 'lists.range', 'reverse']);

/** As cel-go, `ext/sets.go` (trackSetsCost) and `ext/lists.go`. */
function setOrListCharge(name: string, signature: string): Charge | undefined {
  if (signature === '') return undefined;
  if (MADE.has(name)) return NOTHING;
  switch (name) {
    case 'sets.contains':
    case 'sets.intersects':
      return ([a, b]) => 1 + sizeOf(a) * sizeOf(b);
    case 'sets.equivalent':
      return ([a, b]) => 1 + sizeOf(a) * sizeOf(b) * 2;
    case 'flatten':
      return ([list, depth]) => Math.floor(sizeOf(list) * (depth === undefined ? 1 : Number(depth))) + 1 + LIST_CREATION;
    case 'distinct':
    case 'sort':
      return ([list]) => comparedWithItself(list);
    case '@sortByAssociatedKeys':
      return ([, keys]) => comparedWithItself(keys);
    default:
      return undefined;
  }
}

function comparedWithItself(list: CelValue | undefined): number {
  const size = sizeOf(list);
  const first = size === 0 || list === undefined || kindOf(list) !== 'list' ? null : (list as CelList).at(0);
  const isText = typeof first === 'string' || kindOf(first) === 'bytes';
  return Math.floor(size * size * (isText ? 2 + PER_RUNE : 2)) + 1 + LIST_CREATION;
}
