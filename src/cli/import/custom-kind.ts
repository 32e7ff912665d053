import { isRecord } from '@keelson/kubernetes/apimachinery';
import { ImportError } from '../errors.js';
import type { CrdDocument, JsonObject } from './crd-documents.js';

/** One served version of a CRD, checked as far as TypeScript depends on it. */
export interface CustomKind {
  readonly place: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly subresources: readonly string[];
  /** `spec.versions[0].schema.openAPIV3Schema`. */
  readonly schemaPath: string;
  readonly schema: JsonObject;
  /** The API server's warning, where the version is deprecated. */
  readonly deprecation?: string | undefined;
}

const NAMES = {
  group: { pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/, wanted: 'a DNS name such as example.com' },
  label: { pattern: /^[a-z]([-a-z0-9]*[a-z0-9])?$/, wanted: 'a name in lower case' },
  kind: { pattern: /^[a-z]([-a-z0-9]*[a-z0-9])?$/i, wanted: "a kind's name: letters, digits and dashes" },
} as const;

/** The served versions of a CRD, in the order of the document. */
export function servedKinds(document: CrdDocument): readonly CustomKind[] {
  const reader = new Reader(document);
  const spec = reader.object('spec');
  const versions = spec['versions'];
  if (!Array.isArray(versions) || versions.length === 0) reader.refuse('spec.versions', versions, 'a list of versions');
  const base = {
    place: document.place,
    group: reader.name('spec.group', 'group'),
    kind: reader.name('spec.names.kind', 'kind'),
    plural: reader.name('spec.names.plural', 'label'),
    scope: reader.scope(),
  };
  const kinds = (versions as unknown[]).flatMap((_, index) =>
    reader.version(`spec.versions[${index}]`).map((version) => ({ ...base, ...version })),
  );
  if (kinds.length === 0)
    throw new ImportError(`${document.place}: spec.versions: no version is served, so there is nothing that a program could use`);
  return kinds;
}

type VersionFacts = Pick<CustomKind, 'version' | 'subresources' | 'schemaPath' | 'schema' | 'deprecation'>;

class Reader {
  readonly #document: CrdDocument;

  constructor(document: CrdDocument) {
    this.#document = document;
  }

  refuse(path: string, found: unknown, wanted: string): never {
    const what = found === undefined ? 'is missing' : `is ${JSON.stringify(found)}`;
    throw new ImportError(`${this.#document.place}: ${path}: ${what}, expected ${wanted}`);
  }

  value(path: string): unknown {
    const steps = path.split(/\.|\[(\d+)\]/).filter((step) => step !== undefined && step !== '');
    return steps.reduce<unknown>((value, step) => {
      if (Array.isArray(value)) return value[Number(step)];
      return isRecord(value) ? value[step] : undefined;
    }, this.#document.crd);
  }

  object(path: string): JsonObject {
    const value = this.value(path);
    return isRecord(value) ? value : this.refuse(path, value, 'an object');
  }

  name(path: string, rule: keyof typeof NAMES): string {
    const value = this.value(path);
    const { pattern, wanted } = NAMES[rule];
    return typeof value === 'string' && pattern.test(value) ? value : this.refuse(path, value, wanted);
  }

  scope(): 'Namespaced' | 'Cluster' {
    const value = this.value('spec.scope');
    return value === 'Namespaced' || value === 'Cluster' ? value : this.refuse('spec.scope', value, '"Namespaced" or "Cluster"');
  }

  /** Empty for a version that is not served. */
  version(path: string): VersionFacts[] {
    const version = this.object(path);
    const name = this.name(`${path}.name`, 'label');
    const schemaPath = `${path}.schema.openAPIV3Schema`;
    const schema = this.value(schemaPath);
    if (!isRecord(schema)) this.refuse(schemaPath, schema, 'the schema of the version (apiextensions.k8s.io/v1 demands one)');
    if (version['served'] !== true) return [];
    const subresources = isRecord(version['subresources']) ? Object.keys(version['subresources']).sort() : [];
    const warning = typeof version['deprecationWarning'] === 'string' ? version['deprecationWarning'] : 'This version is deprecated.';
    return [{ version: name, subresources, schemaPath, schema, deprecation: version['deprecated'] === true ? warning : undefined }];
  }
}
