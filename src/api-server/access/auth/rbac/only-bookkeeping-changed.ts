import { goJson } from '@keelson/kubernetes/apimachinery';

interface WithMetadata {
  readonly metadata: object;
}

const BOOKKEEPING = new Set(['ownerReferences', 'finalizers', 'selfLink', 'managedFields']);

/** Whether a write touches nothing but what the garbage collector needs to touch: it has no rights of its own to grant. */
export function onlyBookkeepingChanged(object: WithMetadata, old: WithMetadata): boolean {
  return comparable(object) === comparable(old);
}

function comparable(object: WithMetadata): string {
  const metadata = Object.fromEntries(Object.entries(object.metadata).filter(([field]) => !BOOKKEEPING.has(field)));
  return goJson(withoutEmpty({ ...object, metadata }));
}

/** For the API, an empty list and a missing one are the same. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value === '' ? undefined : (value ?? undefined);
  const entries = Object.entries(value).map(([key, item]) => [key, withoutEmpty(item)] as const);
  const kept = entries.filter(([, item]) => item !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
