import { equalJson } from '@keelson/kubernetes/apimachinery';
import type { CacheChange, StoredObject } from '../cache/index.js';
import { isMadeAnnotation } from '../children/index.js';
import { hasSameContent } from '../drift/index.js';
import { conditionsOf, type StatusFields } from '../status/index.js';

/** Parts of its object that a controller looks at, beside the spec. */
export interface Relevance {
  readonly finalizer?: string | undefined;
  /** Those of before, which a process that is ending may still add. @defaultValue none */
  readonly formerFinalizers?: readonly string[] | undefined;
  /** Condition types of other controllers whose changes count: the summaries that `Ready` waits for. @defaultValue none */
  readonly needed?: readonly string[] | undefined;
}

/**
 * Whether a change of the reconciled object itself is worth a run: anything but its status, of which only conditions that `Ready` waits for count (H36, H38).
 * Changes by others to the own part of the status are known to the status writer.
 *
 * The generation alone would miss a deletion, labels, annotations, a finalizer that a user took away, or another object of the same name.
 */
export function isRelevant({ type, object, previous }: CacheChange, { finalizer, formerFinalizers = [], needed = [] }: Relevance): boolean {
  if (type !== 'modified' || previous === undefined) return true;
  const [now, before] = [object.metadata, previous.metadata];
  if (now.uid !== before.uid || now.deletionTimestamp !== before.deletionTimestamp) return true;
  if (!equalJson(now.labels ?? {}, before.labels ?? {}) || !equalJson(annotationsOf(object), annotationsOf(previous))) return true;
  if (finalizer !== undefined && !(now.finalizers ?? []).includes(finalizer) && now.deletionTimestamp === undefined) return true;
  if (formerFinalizers.some((former) => now.finalizers?.includes(former) === true)) return true;
  if (needed.length > 0 && !equalJson(conditionsIn(object, needed), conditionsIn(previous, needed))) return true;
  // Kinds without a generation (ConfigMap, Secret) have no status either.
  return now.generation === undefined ? !hasSameContent(object, previous) : now.generation !== before.generation;
}

/** Without what the framework itself remembers there: that is not news to it. */
function annotationsOf({ metadata }: StoredObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([name]) => !isMadeAnnotation(name)));
}

function conditionsIn(object: StoredObject, types: readonly string[]): object[] {
  const conditions = conditionsOf(object['status'] as StatusFields | undefined);
  return types.map((type) => conditions.find((condition) => condition.type === type) ?? {});
}

/** Whether a failure of before says nothing about the object as it is now (H33). */
export function isNewGeneration({ object, previous }: CacheChange): boolean {
  if (previous === undefined) return true;
  const [now, before] = [object.metadata, previous.metadata];
  return now.uid !== before.uid || now.generation !== before.generation || now.deletionTimestamp !== before.deletionTimestamp;
}
