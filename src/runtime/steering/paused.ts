import { isRecord, type ManagedFieldsEntry } from '@keelson/kubernetes/apimachinery';
import type { AnnotationsModel } from 'keelson/internal/definition';
import type { StoredObject } from '../cache/index.js';

/**
 * Whether people have paused the object.
 *
 * Any value but `false` pauses it: a user who writes `yes` means it, and Cluster API takes any value.
 */
export function isPaused({ metadata }: StoredObject, annotations: AnnotationsModel | undefined): boolean {
  const { paused } = annotations ?? {};
  const value = paused === undefined ? undefined : metadata.annotations?.[paused];
  return value !== undefined && value !== 'false';
}

/** Whether the object is run although it is paused: most definitions let deletions through. */
export function isExempt({ metadata }: StoredObject, annotations: AnnotationsModel | undefined): boolean {
  return metadata.deletionTimestamp !== undefined && annotations?.pausedDeletionWaits !== true;
}

/** Says who paused an object and when, as its managed fields have it, and how to resume it. */
export function pauseMessage(key: string, entries: readonly ManagedFieldsEntry[] = []): string {
  const [last] = entries.filter((entry) => holds(entry, key)).sort((a, b) => (b.time ?? '').localeCompare(a.time ?? ''));
  const paused =
    last?.manager === undefined
      ? 'the object is paused'
      : `${last.manager} paused the object${last.time === undefined ? '' : ` at ${last.time}`}`;
  return `${paused}; to resume it, remove the annotation ${key}`;
}

function holds({ fieldsV1 = {} }: ManagedFieldsEntry, key: string): boolean {
  const metadata = fieldsV1['f:metadata'];
  const annotations = isRecord(metadata) ? metadata['f:annotations'] : undefined;
  return isRecord(annotations) && Object.hasOwn(annotations, `f:${key}`);
}
