import { isRecord, messageOf } from '@keelson/kubernetes/apimachinery';
import { parseAllDocuments } from 'yaml';
import type { PackageFile } from '../package-file.js';

/** A bundle as it was read. Nothing is taken for granted: fields that OLM needs may be missing, or of another type. */
export interface BundleContents {
  readonly files: readonly PackageFile[];
  readonly objects: readonly BundleObject[];
  /** Its path is where a message leads. */
  readonly csv: BundleObject | undefined;
  /** Annotations of `metadata/annotations.yaml`. */
  readonly annotations: Readonly<Record<string, unknown>>;
  /** Those of `metadata/properties.yaml`. */
  readonly properties: readonly Fields[];
  readonly unreadable: readonly { readonly path: string; readonly message: string }[];
}

export const PROPERTIES = 'metadata/properties.yaml';

export type Fields = Readonly<Record<string, unknown>>;

export interface BundleObject {
  readonly path: string;
  readonly fields: Fields;
}

export function bundleContents(files: readonly PackageFile[]): BundleContents {
  const unreadable: { path: string; message: string }[] = [];
  const read = ({ path, text }: PackageFile): BundleObject[] => {
    try {
      const documents = parseAllDocuments(text, { version: '1.1' }).map((document) => {
        if (document.errors[0] !== undefined) throw document.errors[0];
        return document.toJS() as unknown;
      });
      return documents.filter(isRecord).map((fields) => ({ path, fields }));
    } catch (error) {
      unreadable.push({ path, message: messageOf(error).split('\n')[0] ?? '' });
      return [];
    }
  };
  const objects = files.filter(({ path }) => /^manifests\/.*\.(ya?ml|json)$/.test(path)).flatMap(read);
  const [annotations] = files.filter(({ path }) => path === 'metadata/annotations.yaml').flatMap(read);
  const [properties] = files.filter(({ path }) => path === PROPERTIES).flatMap(read);
  return {
    files,
    objects,
    csv: objects.find(({ fields }) => fields['kind'] === 'ClusterServiceVersion'),
    annotations: fieldsAt(annotations?.fields, 'annotations'),
    properties: listAt(properties?.fields, 'properties'),
    unreadable,
  };
}

/** The map behind a path of names; empty if it is missing. */
export function fieldsAt(fields: unknown, ...path: readonly string[]): Fields {
  const found = at(fields, ...path);
  return isRecord(found) ? found : {};
}

/** The maps of the list behind a path of names; empty if it is missing. */
export function listAt(fields: unknown, ...path: readonly string[]): readonly Fields[] {
  const found = at(fields, ...path);
  return Array.isArray(found) ? found.filter(isRecord) : [];
}

/** The text behind a path of names; empty if it is missing. */
export function textAt(fields: unknown, ...path: readonly string[]): string {
  const found = at(fields, ...path);
  return typeof found === 'string' ? found : '';
}

function at(fields: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((node, name) => (isRecord(node) ? node[name] : undefined), fields);
}
