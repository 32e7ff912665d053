import { goJson, goQuote } from '@keelson/kubernetes/apimachinery';
import { badRequest, done, type Outcome, refused } from './problem.js';

/** Where a list goes on. Source: apiserver, `pkg/storage/continue.go`. */
export interface ContinueToken {
  /** The revision of the first page; -1: the current one (after the first page's was compacted). */
  readonly revision: number;
  /** The path, below the listed prefix, from which on objects are due. */
  readonly start: string;
}

const VERSION = 'meta.k8s.io/v1';

export function encodeContinue({ revision, start }: ContinueToken): string {
  const token = new Map<string, unknown>([
    ['v', VERSION],
    ['rv', revision],
    ['start', start],
  ]);
  return Buffer.from(goJson(token)).toString('base64url');
}

/** Refuses, in the server's words, what it has not made itself. */
export function decodeContinue(text: string): Outcome<ContinueToken> {
  const token = decoded(text);
  return typeof token === 'string' ? refused(badRequest(`invalid continue token: ${token}`)) : done(token);
}

const NOT_VALID = 'continue key is not valid';

function decoded(text: string): ContinueToken | string {
  const broken = base64Problem(text);
  if (broken !== undefined) return `${NOT_VALID}: illegal base64 data at input byte ${broken}`;
  const parsed = parsedJson(Buffer.from(text, 'base64url'));
  if (typeof parsed === 'string') return `${NOT_VALID}: ${parsed}`;
  // Go leaves a field as it was where the JSON has none, or null.
  const v = parsed.fields.v ?? '';
  const rv = parsed.fields.rv ?? 0;
  const start = parsed.fields.start ?? '';
  const mistyped = typeProblem({ v, rv, start });
  if (mistyped !== undefined) return `${NOT_VALID}: ${mistyped}`;
  if (v !== VERSION) return `${NOT_VALID}: server does not recognize this encoded version ${String(v)}`;
  if (rv === 0) return `${NOT_VALID}: incorrect encoded start resourceVersion (version meta.k8s.io/v1)`;
  if (start === '') return `${NOT_VALID}: encoded start key empty (version meta.k8s.io/v1)`;
  const path = cleanPath(String(start));
  return path === undefined ? `${NOT_VALID}: ${String(start)}` : { revision: Number(rv), start: path };
}

/** Where Go's decoder stops; undefined where it does not. */
function base64Problem(text: string): number | undefined {
  const illegal = text.search(/[^A-Za-z0-9_\r\n-]/);
  if (illegal >= 0) return illegal;
  const { length } = text.replace(/[\r\n]/g, '');
  return length % 4 === 1 ? text.length - 1 : undefined;
}

/** The fields, or what Go's parser says. It says more about JSON that breaks off later than this does: no client makes such tokens. */
function parsedJson(
  bytes: Buffer,
): { readonly fields: { readonly v?: unknown; readonly rv?: unknown; readonly start?: unknown } } | string {
  const text = bytes.toString();
  try {
    const value: unknown = JSON.parse(text);
    if (value === null) return { fields: {} };
    if (typeof value !== 'object' || Array.isArray(value))
      return `json: cannot unmarshal ${goKind(value)} into Go value of type storage.continueToken`;
    return { fields: value };
  } catch {
    const first = [...text.trimStart()][0];
    if (first === undefined || '{["-0123456789tfn'.includes(first)) return 'unexpected end of JSON input';
    return `invalid character ${goCharacter(bytes)} looking for beginning of value`;
  }
}

/** Go takes the first byte that is not a white space for a character of its own. */
function goCharacter(bytes: Buffer): string {
  const byte = bytes.find((candidate) => !WHITE_SPACE.includes(candidate)) ?? 0;
  return byte === QUOTE ? "'\\''" : `'${goQuote(String.fromCodePoint(byte)).slice(1, -1).replace('\\"', '"')}'`;
}

const QUOTE = 39;
const WHITE_SPACE: readonly number[] = [9, 10, 13, 32];

function typeProblem({ v, rv, start }: Record<'v' | 'rv' | 'start', unknown>): string | undefined {
  const told = (field: string, value: unknown, type: string): string =>
    `json: cannot unmarshal ${typeof value === 'number' && type === 'int64' ? `number ${value}` : goKind(value)} into Go struct field continueToken.${field} of type ${type}`;
  if (typeof v !== 'string') return told('v', v, 'string');
  if (!Number.isInteger(rv) || Math.abs(rv as number) >= 2 ** 63) return told('rv', rv, 'int64');
  return typeof start === 'string' ? undefined : told('start', start, 'string');
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** Undefined: the path would lead out of the listed prefix (`a/../b`), or is not the one that the server would write. */
function cleanPath(start: string): string | undefined {
  const path = start.startsWith('/') ? start.slice(1) : start;
  return path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..') ? undefined : path;
}
