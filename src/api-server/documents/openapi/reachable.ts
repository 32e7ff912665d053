import type { Json } from '@keelson/kubernetes/apimachinery';
import type { JsonObject } from '../../contract/index.js';

/**
 * The definitions that are referred to, directly or through others.
 * @param prefix what stands before the name in a reference
 */
export function reachable(
  roots: readonly Json[],
  prefix: string,
  definition: (name: string) => JsonObject | undefined,
): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  const visit = (node: Json): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      for (const item of node as readonly Json[]) visit(item);
      return;
    }
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref' && typeof value === 'string' && value.startsWith(prefix)) refer(value.slice(prefix.length));
      else visit(value);
    }
  };
  const refer = (name: string): void => {
    if (found.has(name)) return;
    const schema = definition(name);
    if (schema === undefined) return;
    found.set(name, schema);
    visit(schema);
  };
  for (const root of roots) visit(root);
  return found;
}

export function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
