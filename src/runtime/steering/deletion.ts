import { type AnnotationsModel, TerminalError } from 'keelson/internal/definition';
import type { StoredObject } from '../cache/index.js';

/**
 * Whether the children of a deleted object stay.
 *
 * @throws TerminalError for an unknown value: the children of an object with a misspelt `orphan` must not be deleted
 */
export function keepsChildren({ metadata }: StoredObject, annotations: AnnotationsModel | undefined): boolean {
  const { deletion } = annotations ?? {};
  const value = deletion === undefined ? undefined : metadata.annotations?.[deletion];
  if (value === undefined || value === 'delete') return false;
  if (value === 'orphan') return true;
  throw new TerminalError(`annotation ${deletion}: '${value}' is unknown; write orphan or delete, or remove the annotation`);
}
