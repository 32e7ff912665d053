import type { ObjectKey, Scope } from '@keelson/kubernetes/apimachinery';

/** The object that a text or a key names: `namespace/name`, or a name alone for a cluster-scoped kind. `undefined` if it names none. */
export function objectKeyOf(key: unknown, scope: Scope): ObjectKey | undefined {
  const parts = typeof key === 'string' ? key.split('/') : [];
  const { namespace, name } =
    typeof key === 'string'
      ? { namespace: parts.length === 2 ? parts[0] : undefined, name: parts.at(-1) }
      : ((key ?? {}) as Partial<ObjectKey>);
  if (typeof name !== 'string' || name === '' || parts.length > 2) return undefined;
  if (scope === 'Cluster') return { name };
  return typeof namespace === 'string' && namespace !== '' ? { namespace, name } : undefined;
}
