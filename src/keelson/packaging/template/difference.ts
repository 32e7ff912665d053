import { equalJson, type Json } from '@keelson/kubernetes/apimachinery';

/** Where two manifests differ first. */
export interface Difference {
  readonly path: readonly string[];
  readonly found: Json | undefined;
  readonly object: Json | undefined;
}

/** A sentence for the author about a manifest that a template does not repeat; `near` names values that the place shows. */
export function differenceText(
  path: string,
  { found, object, near }: { readonly found: Json | undefined; readonly object: Json; readonly near: readonly string[] },
): string {
  const at = found === undefined ? { path: [], found: undefined, object } : firstDifference(found, object);
  const where = [identityOf(object), ...at.path].join(' ');
  const hint = near.length === 0 ? '' : ` (values: ${near.join(', ')})`;
  return (
    `${path}: ${where}: is computed from the values${hint}, and a template cannot repeat it: it is ${shown(at.object)}, where the template has ` +
    `${shown(at.found)}; write a value as it is, or let a boolean or an enum choose`
  );
}

export function firstDifference(found: Json, object: Json, path: readonly string[] = []): Difference {
  const isNode = (value: Json): value is Readonly<Record<string, Json>> => typeof value === 'object' && value !== null;
  if (!isNode(found) || !isNode(object) || Array.isArray(found) !== Array.isArray(object)) return { path, found, object };
  for (const key of new Set([...Object.keys(object), ...Object.keys(found)])) {
    const [left, right] = [found[key], object[key]];
    if (left !== undefined && right !== undefined && equalJson(left, right)) continue;
    if (left === undefined || right === undefined) return { path: [...path, key], found: left, object: right };
    return firstDifference(left, right, [...path, key]);
  }
  return { path, found, object };
}

/** Kind, name and place of an object, for people and as a key. */
export function identityOf(object: Json): string {
  const { apiVersion, kind, metadata } = object as {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: { readonly name?: string; readonly namespace?: string };
  };
  return `${kind ?? ''} ${metadata?.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata?.name ?? ''} (${apiVersion ?? ''})`;
}

/** JSON that fits into a message. */
export function shown(value: Json | undefined): string {
  const text = JSON.stringify(value ?? null);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
