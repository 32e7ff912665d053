import { equalJson } from '../../kubernetes/index.js';
import type { CacheChange, StoredObject } from '../cache/index.js';
import { MADE_ANNOTATION } from '../children/index.js';
import { hasSameContent } from '../drift/index.js';

/**
 * Whether a change of the reconciled object itself is worth a run: anything but its status (H36, H38).
 *
 * The generation alone would miss a deletion, labels, annotations, a finalizer that somebody took away, or another object of the same name.
 */
export function isRelevant({ type, object, previous }: CacheChange, finalizer: string | undefined): boolean {
  if (type !== 'modified' || previous === undefined) return true;
  const [now, before] = [object.metadata, previous.metadata];
  if (now.uid !== before.uid || now.deletionTimestamp !== before.deletionTimestamp) return true;
  if (!equalJson(now.labels ?? {}, before.labels ?? {}) || !equalJson(annotationsOf(object), annotationsOf(previous))) return true;
  if (finalizer !== undefined && !(now.finalizers ?? []).includes(finalizer) && now.deletionTimestamp === undefined) return true;
  // Kinds without a generation (ConfigMap, Secret) have no status either.
  return now.generation === undefined ? !hasSameContent(object, previous) : now.generation !== before.generation;
}

/** Without what the framework itself remembers there: that is not news to it. */
function annotationsOf({ metadata }: StoredObject): Readonly<Record<string, string>> {
  const { [MADE_ANNOTATION]: _, ...annotations } = metadata.annotations ?? {};
  return annotations;
}

/** Whether a failure of before says nothing about the object as it is now (H33). */
export function isNewGeneration({ object, previous }: CacheChange): boolean {
  if (previous === undefined) return true;
  const [now, before] = [object.metadata, previous.metadata];
  return now.uid !== before.uid || now.generation !== before.generation || now.deletionTimestamp !== before.deletionTimestamp;
}
