import { ADDED_SIGNATURES, SIGNATURES, SIGNATURES_OF_PATCHES, SORT_BY_MINOR } from './signatures.js';
import { BOOL, type CelType, DYN, listOf, mapOf, opaque, optionalOf, parameter, typeOf } from './type.js';

export interface Overload {
  /** The arguments as declared: `string.(string)`, `(list(A), int)`. Tells the overloads of one function apart. */
  readonly signature: string;
  readonly member: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  /** Names of the type parameters in it. */
  readonly parameters: readonly string[];
}

/**
 * Which release's libraries an expression may use.
 *
 * `portable`: what every supported release accepts in a new object. `new`: what an API server of the release of `imports/` accepts there: the libraries of the minor
 * before. `stored`: what it evaluates when it finds it stored.
 */
export type Libraries = 'portable' | 'new' | 'stored';

/** The newest minor whose functions are known. The tests hold them against `KUBERNETES_MINOR`. */
export const NEWEST_MINOR: Readonly<Record<Libraries, number>> = { portable: 33, new: 36, stored: 37 };

const SIMPLE_KINDS = new Set(['bool', 'bytes', 'double', 'int', 'string', 'uint', 'null', 'timestamp', 'duration', 'dyn']);
const COMPARABLE = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'];
const NUMBERS = ['int', 'uint', 'double'];

type Table = ReadonlyMap<string, readonly Overload[]>;

let shared: Table | undefined;
let added: readonly (readonly [minor: number, Table])[] | undefined;
let patching: Table | undefined;

/** The overloads of a function, or `undefined` if the environment has none of that name. */
export function overloadsOf(name: string, libraries: Libraries): readonly Overload[] | undefined {
  // A parsed constant, not state: every copy of the package computes the same table.
  shared ??= new Map([...readTable(SIGNATURES), ...comparisons()]);
  const found = shared.get(name);
  return found ?? addition(name, NEWEST_MINOR[libraries])?.overloads;
}

/** The release that first accepts a function in new objects, as `1.35`; `undefined` if none adds one of that name. */
export function acceptedSince(name: string): string | undefined {
  const minor = name === 'sortBy' ? SORT_BY_MINOR : addition(name, Number.POSITIVE_INFINITY)?.minor;
  return minor === undefined ? undefined : `1.${minor + 1}`;
}

/** Whether the macro `sortBy` is known. */
export const hasSortBy = (libraries: Libraries): boolean => NEWEST_MINOR[libraries] >= SORT_BY_MINOR;

function addition(name: string, newest: number): { readonly minor: number; readonly overloads: readonly Overload[] } | undefined {
  added ??= Object.entries(ADDED_SIGNATURES).map(([minor, text]) => [Number(minor), readTable(text)]);
  for (const [minor, table] of added) {
    const overloads = minor <= newest ? table.get(name) : undefined;
    if (overloads !== undefined) return { minor, overloads };
  }
  return undefined;
}

/** The overloads of a function that mutations have beside those of all expressions. */
export function patchOverloadsOf(name: string): readonly Overload[] | undefined {
  patching ??= readTable(SIGNATURES_OF_PATCHES);
  return patching.get(name);
}

function readTable(text: string): Map<string, readonly Overload[]> {
  const table = new Map<string, readonly Overload[]>();
  for (const line of text.trim().split('\n')) {
    const space = line.indexOf(' ');
    table.set(
      line.slice(0, space),
      line
        .slice(space + 1)
        .split(' | ')
        .map(readOverload),
    );
  }
  return table;
}

function readOverload(text: string): Overload {
  // The arguments are the last parenthesized group that a space follows: `map(K, V).(K) V`, `(map(K, V)) int`.
  const open = text.startsWith('(') ? 0 : text.indexOf('.(') + 1;
  const close = closingOf(text, open);
  const args = splitTopLevel(text.slice(open + 1, close)).map(readType);
  const member = open > 0;
  const all = member ? [readType(text.slice(0, open - 1)), ...args] : args;
  const parameters = new Set(text.match(/\b[A-Z]\b/g) ?? []);
  return { signature: text.slice(0, close + 1), member, args: all, result: readType(text.slice(close + 2)), parameters: [...parameters] };
}

function closingOf(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return text.length;
}

function splitTopLevel(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const character = text[at];
    if (character === '(') depth++;
    else if (character === ')') depth--;
    else if ((character === ',' || character === undefined) && depth === 0) {
      if (at > start) parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return parts;
}

function readType(text: string): CelType {
  if (SIMPLE_KINDS.has(text)) return { kind: text as 'int' };
  if (/^[A-Z]$/.test(text)) return parameter(text);
  const open = text.indexOf('(');
  if (open === -1) return text === 'type' ? { kind: 'type' } : opaque(text.replace(/^authz\./, 'kubernetes.authorization.'));
  const [first = DYN, second = DYN] = splitTopLevel(text.slice(open + 1, -1)).map(readType);
  switch (text.slice(0, open)) {
    case 'list':
      return listOf(first);
    case 'map':
      return mapOf(first, second);
    case 'type':
      return typeOf(first);
    default:
      return optionalOf(first);
  }
}

/** `<`, `<=`, `>`, `>=`: every comparable type with itself, and numbers across types. */
function comparisons(): [string, readonly Overload[]][] {
  const pairs = COMPARABLE.flatMap((kind) => (NUMBERS.includes(kind) ? NUMBERS.map((other) => [kind, other]) : [[kind, kind]]));
  const overloads = pairs.map(
    ([left = '', right = '']): Overload => ({
      signature: `(${left}, ${right})`,
      member: false,
      args: [readType(left), readType(right)],
      result: BOOL,
      parameters: [],
    }),
  );
  return ['_<_', '_<=_', '_>_', '_>=_'].map((name) => [name, overloads]);
}

/** The names of types, usable as values (`type(x) == int`). */
export function typeIdentifier(name: string): CelType | undefined {
  switch (name) {
    case 'bool':
    case 'bytes':
    case 'double':
    case 'int':
    case 'string':
    case 'uint':
      return typeOf({ kind: name });
    case 'null_type':
      return typeOf({ kind: 'null' });
    case 'list':
      return typeOf(listOf(parameter('A')));
    case 'map':
      return typeOf(mapOf(parameter('A'), parameter('B')));
    case 'type':
      return typeOf({ kind: 'type' });
    case 'timestamp':
    case 'google.protobuf.Timestamp':
      return typeOf({ kind: 'timestamp' });
    case 'duration':
    case 'google.protobuf.Duration':
      return typeOf({ kind: 'duration' });
    case 'optional_type':
      return typeOf(optionalOf(parameter('V')));
    default:
      return LIBRARY_TYPES.has(name) ? typeOf(opaque(name)) : undefined;
  }
}

/** The only library types that can be named in an expression. */
const LIBRARY_TYPES = new Set(['net.IP', 'net.CIDR']);
