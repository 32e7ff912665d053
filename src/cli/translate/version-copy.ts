import type { JsonObject } from '../import/index.js';
import type { Note } from './schema-writer.js';
import { versionObject, versionParts } from './version-parts.js';

/** A version of a CRD under another name, in the text of a definition. */
export interface VersionCopy {
  /** `spec` and `status`, each as an expression. */
  readonly parts: Readonly<Record<string, string>>;
  /** The version as an object literal, which takes the parts by name. */
  readonly object: string;
  readonly notes: readonly Note[];
}

/** Copies a version as it is served anew: the warning of an old version stays behind. */
export function versionCopy(version: JsonObject, { isStorage }: { readonly isStorage: boolean }): VersionCopy {
  const { deprecated: _, deprecationWarning: __, ...rest } = version;
  const written = versionParts({ ...rest, served: true });
  return {
    parts: Object.fromEntries(Object.entries(written.parts).map(([part, { text }]) => [part, text])),
    object: versionObject(written, { isMarked: isStorage, nameOf: (part) => part }),
    notes: written.notes,
  };
}
