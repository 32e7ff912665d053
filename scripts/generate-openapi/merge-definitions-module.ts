import { quote } from '../../src/cli/index.js';
import { MARKER } from './marker.js';

/** A schema of OpenAPI v3, as far as it is read here. */
interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly [extension: `x-kubernetes-${string}`]: unknown;
}

const COMPONENTS = '#/components/schemas/';
const KIND = 'x-kubernetes-group-version-kind';

/**
 * `openapi/merge-definitions.ts`: the definitions of the kinds, in the form of OpenAPI v2, without every field that does not lead to a list that a strategic merge
 * patch merges. Kustomize forgets its own when it is given those of custom resources.
 */
export function mergeDefinitionsModule(schemas: readonly (readonly [name: string, schema: object])[]): string {
  const definitions = mergeDefinitions(new Map(schemas as readonly (readonly [string, Schema])[]));
  return [
    `// ${MARKER}`,
    '',
    '/**',
    ' * Definitions of OpenAPI v2 by full name, as JSON text, with the fields alone that lead to a list that patches merge. A function: what is not called is not built.',
    ' *',
    ' * @public',
    ' */',
    'export function mergeDefinitionTexts(): Readonly<Record<string, string>> {',
    '  return {',
    ...definitions.map(([name, schema]) => `    ${quote(name)}: ${quote(JSON.stringify(schema))},`),
    '  };',
    '}',
    '',
  ].join('\n');
}

function mergeDefinitions(all: ReadonlyMap<string, Schema>): [name: string, schema: object][] {
  const leading = leadingDefinitions(all);
  const found = new Map<string, object>();
  const collect = (name: string): void => {
    if (found.has(name)) return;
    const schema = all.get(name) as Schema;
    const kept = mergeFieldsOf(schema, leading) ?? {};
    found.set(name, isKind(schema) ? { ...kept, [KIND]: schema[KIND] } : kept);
    for (const reference of JSON.stringify(kept).matchAll(/#\/definitions\/([^"]+)/g)) collect(reference[1] as string);
  };
  for (const [name, schema] of all) if (isKind(schema) && leading.has(name) && !name.endsWith('List')) collect(name);
  return [...found].sort(([left], [right]) => (left < right ? -1 : 1));
}

/** Names of the definitions that have such a list, or lead to one. */
function leadingDefinitions(all: ReadonlyMap<string, Schema>): ReadonlySet<string> {
  const leading = new Set<string>();
  for (let before = -1; before !== leading.size; ) {
    before = leading.size;
    for (const [name, schema] of all) if (mergeFieldsOf(schema, leading) !== undefined) leading.add(name);
  }
  return leading;
}

function mergeFieldsOf(schema: Schema, leading: ReadonlySet<string>): object | undefined {
  const reference = (schema.$ref ?? schema.allOf?.[0]?.$ref)?.slice(COMPONENTS.length);
  if (reference !== undefined) return leading.has(reference) ? { $ref: `#/definitions/${reference}` } : undefined;
  const { items, additionalProperties } = schema;
  const isMerged = schema['x-kubernetes-patch-strategy'] !== undefined;
  const fields: Readonly<Record<string, unknown>> = {
    'x-kubernetes-patch-strategy': schema['x-kubernetes-patch-strategy'],
    'x-kubernetes-patch-merge-key': schema['x-kubernetes-patch-merge-key'],
    'x-kubernetes-list-map-keys': isMerged ? schema['x-kubernetes-list-map-keys'] : undefined,
    properties: mergePropertiesOf(schema.properties ?? {}, leading),
    items: items === undefined ? undefined : mergeFieldsOf(items, leading),
    additionalProperties: typeof additionalProperties === 'object' ? mergeFieldsOf(additionalProperties, leading) : undefined,
  };
  const kept = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  if (Object.keys(kept).length === 0) return undefined;
  // Kustomize looks into the items of what says that it is a list.
  return schema.type === 'array' ? { type: 'array', ...kept } : kept;
}

function mergePropertiesOf(properties: Readonly<Record<string, Schema>>, leading: ReadonlySet<string>): object | undefined {
  const kept = Object.entries(properties).flatMap(([key, property]) => {
    const fields = mergeFieldsOf(property, leading);
    return fields === undefined ? [] : [[key, fields] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Types of the protocol, such as DeleteOptions, belong to several groups. */
function isKind(schema: Schema): boolean {
  const kinds = schema[KIND];
  return Array.isArray(kinds) && kinds.length === 1;
}
