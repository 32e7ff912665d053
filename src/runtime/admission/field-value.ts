import type { Json } from '@keelson/kubernetes/apimachinery';

/** The value that a path such as `spec.ports[0].name` or `metadata.labels[app.kubernetes.io/name]` leads to; `null` where it leads nowhere. */
export function fieldValue(object: Json | undefined, path: string): Json {
  let value: Json | undefined = object;
  for (const [, quoted, bracketed, name] of path.matchAll(/\[(?:"((?:[^"\\]|\\.)*)"|([^\]]*))\]|([^.[\]]+)/g)) {
    const key: string = quoted ?? bracketed ?? name ?? '';
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
    value = (value as { readonly [key: string]: Json })[key];
  }
  return value ?? null;
}
