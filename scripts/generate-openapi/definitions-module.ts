import { quote } from '../../src/cli/index.js';
import { type ApiDocuments, allOpenApiSchemas, type OpenApiSchema } from '../generate-kinds/api-documents.js';
import { MARKER } from './marker.js';

/** `openapi/definitions.ts`: every component schema of the server's own API, as it is but for its prose. */
export function definitionsModule(documents: ApiDocuments): string {
  const everyKind = kindsOfEveryGroup(documents);
  const schemas = [...allOpenApiSchemas(documents)].map(([name, schema]) => [name, { ...schema, ...everyKind.get(name) }] as const);
  return [
    `// ${MARKER}`,
    '',
    '/**',
    ' * Component schemas of OpenAPI v3 by full name, as JSON text, without descriptions. A function, so that the texts are built and parsed only when it is called.',
    ' *',
    ' * @public',
    ' */',
    'export function definitionTexts(): Readonly<Record<string, string>> {',
    '  return {',
    ...schemas.map(([name, schema]) => `    ${quote(name)}: ${quote(JSON.stringify(withoutProse(schema)))},`),
    '  };',
    '}',
    '',
    '/**',
    ' * Names of the definitions that are kinds, by `group/version/Kind` (the core group is empty).',
    ' *',
    ' * @public',
    ' */',
    'export function kindDefinitions(): Readonly<Record<string, string>> {',
    '  return {',
    ...kinds(schemas).map(([kind, name]) => `    ${quote(kind)}: ${quote(name)},`),
    '  };',
    '}',
    '',
  ].join('\n');
}

/**
 * The kinds of DeleteOptions and WatchEvent in all groups. A document of OpenAPI v3 has those of its own group alone, that of custom resources and OpenAPI v2 have all.
 */
function kindsOfEveryGroup(documents: ApiDocuments): ReadonlyMap<string, OpenApiSchema> {
  const { definitions = {} } = JSON.parse(documents.get('/openapi/v2') ?? '{}') as { definitions?: Record<string, OpenApiSchema> };
  return new Map(
    ['DeleteOptions', 'WatchEvent'].map((kind) => {
      const name = `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`;
      const kinds = definitions[name]?.['x-kubernetes-group-version-kind'];
      if (kinds === undefined) throw new Error(`OpenAPI v2 has no kinds of ${name}: save the documents again`);
      return [name, { 'x-kubernetes-group-version-kind': kinds }] as const;
    }),
  );
}

/** A property may be called `description`: then it is a schema, not a text. */
export function withoutProse(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutProse);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => key !== 'description' || typeof value !== 'string')
      .map(([key, value]) => [key, withoutProse(value)]),
  );
}

/** Without the types of the protocol that belong to every group (DeleteOptions, WatchEvent). */
function kinds(schemas: readonly (readonly [string, OpenApiSchema])[]): [string, string][] {
  const found = new Map<string, string>();
  for (const [name, schema] of schemas) {
    const [gvk, ...more] = schema['x-kubernetes-group-version-kind'] ?? [];
    if (gvk === undefined || more.length > 0) continue;
    const key = `${gvk.group}/${gvk.version}/${gvk.kind}`;
    if (found.has(key)) throw new Error(`${key} is both ${found.get(key)} and ${name}`);
    found.set(key, name);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}
