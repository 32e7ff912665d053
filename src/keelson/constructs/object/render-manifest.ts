import { isError, type Json } from '@keelson/kubernetes/apimachinery';
import { type ApiObject, App, ResolutionContext } from 'cdk8s';

/**
 * Turns what a user gave for an object's body into plain JSON.
 *
 * cdk8s' own rendering drops every `null` (a CRD loses `default: null`), throws on a key named `constructor` and on objects without prototype, and
 * replaces a plain object with a member `resolve` by its result. Manifests are data, so here: `null` stays, any key is allowed, tokens (`Lazy`,
 * the app's resolvers) still work, and what is not a data is refused with its path.
 */
export interface Rendering {
  readonly object: ApiObject;
  /** Sort keys as cdk8s does; off under `CDK8S_DISABLE_SORT`. */
  readonly sortKeys: boolean;
}

/** Where in the body; the keys are put together only where they are looked at. `undefined` is the body itself. */
type Path = { readonly path: Path; readonly key: string } | undefined;

function segmentsOf(path: Path): string[] {
  const segments: string[] = [];
  for (let at = path; at !== undefined; at = at.path) segments.push(at.key);
  return segments.reverse();
}

/** A value that cannot be written as JSON. */
export class RenderProblem extends Error {
  override readonly name = 'RenderProblem';

  constructor(path: Path, found: string) {
    super(`${segmentsOf(path).join('.')}: ${found}`);
  }
}

export function isRenderProblem(error: unknown): error is RenderProblem {
  return isError(error) && error.name === 'RenderProblem';
}

/** `undefined` means: leave the field out. */
export function renderValue(value: unknown, path: Path, rendering: Rendering): Json | undefined {
  switch (typeof value) {
    case 'undefined':
      return undefined;
    case 'boolean':
      return value;
    case 'string':
      return renderString(value, path, rendering);
    case 'number':
      if (Number.isFinite(value)) return value;
      throw new RenderProblem(path, `${value} is not a number that JSON can carry`);
    case 'object':
      return value === null ? null : renderObject(value, path, rendering);
    default:
      throw new RenderProblem(path, `a ${typeof value} cannot be written to a manifest; pass plain data`);
  }
}

function renderObject(value: object, path: Path, rendering: Rendering): Json | undefined {
  const isPlain = isPlainObject(value);
  // The built-in resolvers read `value.constructor`, so that plain data with such a key would be taken for a token.
  const mayBeToken = !(
    isPlain &&
    (Object.hasOwn(value, 'constructor') || Object.hasOwn(value, 'resolve') || Object.getPrototypeOf(value) === null)
  );
  if (mayBeToken) {
    const context = resolved(value, path, rendering);
    if (context.replaced && !isNumberOrStringUnion(value)) return renderValue(context.replacedValue, path, rendering);
  }
  if (Array.isArray(value)) return value.map((item: unknown, index) => renderItem(item, { path, key: String(index) }, rendering));
  if (isNumberOrStringUnion(value)) return value.value;
  if (!isPlain) throw new RenderProblem(path, notPlain(value));
  return renderMap(value as Record<string, unknown>, path, rendering);
}

function renderMap(value: Record<string, unknown>, path: Path, rendering: Rendering): Json {
  const result: Record<string, Json> = {};
  const keys = Object.keys(value);
  for (const key of rendering.sortKeys ? keys.sort() : keys) {
    const item = renderValue(value[key], { path, key }, rendering);
    if (item === undefined) continue;
    // An assignment to `__proto__` would set the prototype instead. For all other keys it is several times faster.
    if (key === '__proto__') Object.defineProperty(result, key, { value: item, enumerable: true, writable: true, configurable: true });
    else result[key] = item;
  }
  return result;
}

function renderItem(item: unknown, path: Path, rendering: Rendering): Json {
  const rendered = renderValue(item, path, rendering);
  if (rendered === undefined) throw new RenderProblem(path, 'undefined in a list; leave the item out');
  return rendered;
}

function renderString(value: string, path: Path, rendering: Rendering): Json | undefined {
  const context = resolved(value, path, rendering);
  if (!context.replaced) return value;
  const replacement = context.replacedValue as unknown;
  // Another resolver may have a say about the new value; a resolver that returns what it was given must not go round for ever.
  return replacement === value ? value : renderValue(replacement, path, rendering);
}

/** Asks the app's resolvers, as cdk8s does: the first that replaces the value wins. */
function resolved(value: unknown, path: Path, { object }: Rendering): ResolutionContext {
  const context = new ResolutionContext(object, segmentsOf(path), value);
  for (const resolver of App.of(object).resolvers) {
    resolver.resolve(context);
    if (context.replaced) break;
  }
  return context;
}

function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  // `Object` of another realm (jest's vm, a worker) is as plain as ours.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** `IntOrString` and `Quantity` as `cdk8s import` generates them: a class around one `value`. */
function isNumberOrStringUnion(value: object): value is { readonly value: string | number } {
  if (Array.isArray(value) || isPlainObject(value)) return false;
  const keys = Object.keys(value);
  const content = (value as { readonly value?: unknown }).value;
  return keys.length === 1 && keys[0] === 'value' && (typeof content === 'string' || typeof content === 'number');
}

function notPlain(value: object): string {
  const name = value.constructor?.name ?? 'unknown class';
  if (value instanceof Date) return 'a Date cannot be written to a manifest; pass its toISOString()';
  if (typeof (value as { readonly produce?: unknown }).produce === 'function') {
    return `a ${name} of another copy of cdk8s is not resolved; install cdk8s once (npm ls cdk8s)`;
  }
  if (value instanceof Map || value instanceof Set) return `a ${name} cannot be written to a manifest; pass a plain object or array`;
  return `an instance of ${name} cannot be written to a manifest; pass plain data`;
}
