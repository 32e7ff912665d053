import { type AnnotationsModel, TerminalError } from 'keelson/internal/definition';
import type { StoredObject } from '../cache/index.js';

/**
 * Whether runs of the object only show what they would write. A deletion is carried out in any case.
 *
 * @throws TerminalError for another mode: a misspelt `observe` must not let writes through
 */
export function isObserved({ metadata }: StoredObject, annotations: AnnotationsModel | undefined): boolean {
  const { mode } = annotations ?? {};
  const value = mode === undefined ? undefined : metadata.annotations?.[mode];
  if (value === undefined || metadata.deletionTimestamp !== undefined) return false;
  if (value === 'observe') return true;
  throw new TerminalError(`annotation ${mode}: '${value}' is not a mode; write observe, or remove the annotation`);
}
