import { customResourceDefinitionManifest, defineCustomResource } from 'keelson/internal/definition';
import { ScaffoldError } from '../errors.js';
import type { JsonObject } from '../import/index.js';
import { schemaDifferences } from './crd-differences.js';
import { versionValues, wordsOf } from './definition.js';
import type { Note } from './note-lines.js';
import { versionObject, versionParts } from './version-parts.js';

/** A version of a CRD under another name, in the text of a definition. */
export interface VersionCopy {
  /** `spec` and `status`, each as an expression. */
  readonly parts: Readonly<Record<string, string>>;
  /** The version as an object literal, which takes the parts by name. */
  readonly object: string;
  readonly notes: readonly Note[];
}

/**
 * Copies a version as it is served anew: the warning of an old version stays behind.
 *
 * @throws ScaffoldError for a difference between copy and version that has no known reason
 */
export function versionCopy(version: JsonObject, { isStorage }: { readonly isStorage: boolean }): VersionCopy {
  const { deprecated: _, deprecationWarning: __, ...rest } = version;
  const written = versionParts({ ...rest, served: true });
  const { notes, lost } = schemaDifferences(version, made(versionValues(written, false), written.name), {
    name: written.name,
    wholes: written.writer.wholes,
  });
  if (lost.length > 0)
    throw new ScaffoldError(
      `${written.name}: its copy would be another schema. This is a fault of keelson: please report it.\n  ${lost.join('\n  ')}`,
    );
  return {
    parts: Object.fromEntries(Object.entries(written.parts).map(([part, { text }]) => [part, text])),
    object: versionObject(written, { isMarked: isStorage, nameOf: (part) => part }),
    notes: [...notes, ...wordsOf(written)],
  };
}

function made(values: JsonObject, name: string): JsonObject {
  const options = { group: 'example.com', kind: 'Example', existing: true, versions: { [name]: values } };
  const { customResource } = defineCustomResource(options as unknown as Parameters<typeof defineCustomResource>[0]);
  const { spec } = customResourceDefinitionManifest(customResource, { conversionWebhook: false }) as unknown as {
    readonly spec: { readonly versions: readonly [JsonObject] };
  };
  return spec.versions[0];
}
