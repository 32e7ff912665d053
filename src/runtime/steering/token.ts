import type { AnnotationsModel } from 'keelson/internal/definition';
import type { StoredObject } from '../cache/index.js';

/** The token with which a user asks for a run of the object; `undefined` if none is asked for. */
export function tokenOf({ metadata }: StoredObject, annotations: AnnotationsModel | undefined): string | undefined {
  const { reconcile } = annotations ?? {};
  return reconcile === undefined ? undefined : metadata.annotations?.[reconcile];
}
