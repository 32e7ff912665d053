import { apiVersionOf } from '@keelson/kubernetes/apimachinery';
import { type CustomKind, customKindsOf } from '../custom-kinds.js';
import { modelOf, type Package } from '../package/index.js';
import type { PackageFile } from '../package-file.js';
import { type DraftSchema, draftSchema } from './draft-schema.js';
import { OBJECT_META } from './object-meta.js';

/**
 * The JSON Schemas (draft 7) of the kinds that a package defines, one file for each served version: `<group>/<kind>_<version>.json`, the kind in lower case.
 *
 * They are strict where the API server drops or refuses: a field that the CustomResourceDefinition does not have is a mistake. CEL rules are left to the API server.
 *
 * @example
 * ```ts
 * console.log(kindSchemas(memcachedPackage).map(({ path }) => path)); // ['cache.example.com/memcached_v1alpha1.json']
 * ```
 *
 * @throws PackageError if the constructs refuse the default values
 */
export function kindSchemas(source: Package): readonly PackageFile[] {
  const kinds = customKindsOf([...modelOf(source).plain({}).values()]);
  const files = kinds.map((kind) => ({
    path: `${kind.group}/${kind.kind.toLowerCase()}_${kind.version}.json`,
    text: `${JSON.stringify(kindSchema(kind), undefined, 2)}\n`,
  }));
  return files.sort((left, right) => (left.path < right.path ? -1 : 1));
}

function kindSchema({ group, version, kind, schema }: CustomKind): DraftSchema {
  const { properties = {}, required = [], ...root } = draftSchema(schema);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: kind,
    ...root,
    required: [...new Set(['apiVersion', 'kind', 'metadata', ...required])],
    properties: {
      ...properties,
      apiVersion: { ...properties['apiVersion'], enum: [apiVersionOf({ group, version })] },
      kind: { ...properties['kind'], enum: [kind] },
      metadata: withRules(OBJECT_META, properties['metadata']),
    },
  };
}

/** A CustomResourceDefinition may restrict name and generateName alone. */
function withRules(meta: DraftSchema, own: DraftSchema | undefined): DraftSchema {
  const rules = Object.entries(own?.properties ?? {}).map(([field, rule]) => [field, { ...meta.properties?.[field], ...rule }] as const);
  return { ...meta, properties: { ...meta.properties, ...Object.fromEntries(rules) } };
}
