import { quote } from '../../src/cli/index.js';
import type { OpenApiSchema } from './api-documents.js';
import { type ApiModel, type ApiType, isStable, referenceOf } from './api-model.js';
import type { FlatName } from './flat-index.js';
import { MARKER } from './marker.js';

type Node = Readonly<Record<string, unknown>>;

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
const PRESERVE = { 'x-kubernetes-preserve-unknown-fields': true };
const INT_OR_STRING = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };
const QUANTITY_PATTERN =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

/** Types whose OpenAPI document is not structural (`oneOf` with types) or leaves open what they may hold. */
const SPECIAL: Readonly<Record<string, Node>> = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': INT_OR_STRING,
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { ...INT_OR_STRING, pattern: QUANTITY_PATTERN },
  [`${META}FieldsV1`]: { type: 'object', ...PRESERVE },
  'io.k8s.apimachinery.pkg.runtime.RawExtension': { type: 'object', ...PRESERVE },
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON': PRESERVE,
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray': { $recursive: 'JSONSchemaProps' },
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool': { $recursive: 'JSONSchemaProps' },
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray': { $recursive: 'JSONSchemaProps' },
};

/** Metadata that a template's author may write: the API server itself fills in the rest, and only on top level. Without these properties labels would be pruned. */
const EMBEDDED_METADATA = ['annotations', 'finalizers', 'labels', 'name', 'namespace'];

/** Structural fragments of the stable API: `$ref` names another fragment. */
export interface BuiltinSchemas {
  readonly fragments: ReadonlyMap<string, Node>;
  /** Name → the way along which the type comes back to itself. */
  readonly recursive: ReadonlyMap<string, string>;
}

export function builtinSchemas(model: ApiModel, names: readonly FlatName[]): BuiltinSchemas {
  const flat = new Map(names.map((name) => [`${name.module}.${name.name}`, name.flat]));
  const nameOf = (type: ApiType): string => flat.get(`${type.module}.${type.name}`) ?? type.name;
  const fragments = new Map<string, Node>();
  const stable = [...model.types.values()].filter(({ module }) => isStable(module));
  for (const type of stable.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))) {
    if (fragments.has(nameOf(type))) throw new Error(`two schemas are called ${nameOf(type)}`);
    fragments.set(nameOf(type), new FragmentWriter(model, nameOf).fragment(type));
  }
  return { fragments, recursive: recursiveTypes(fragments) };
}

/** `imports/schemas/builtin.ts`: one JSON text for each type, so that only what is embedded is ever parsed. */
export function schemaModule({ fragments, recursive }: BuiltinSchemas): string {
  const plain = [...fragments].filter(([name]) => !recursive.has(name));
  return [
    `// ${MARKER}`,
    '',
    '/**',
    ' * Structural schemas by type name, as JSON text; `$ref` names another entry. A function, so that the texts are built and parsed only when it is called.',
    ' *',
    ' * @public',
    ' */',
    'export function schemaTexts(): Readonly<Record<string, string>> {',
    '  return {',
    ...plain.map(([name, fragment]) => `    ${name}: ${quote(JSON.stringify(fragment))},`),
    '  };',
    '}',
    '',
    '/**',
    ' * Types without a structural schema: they contain themselves.',
    ' *',
    ' * @public',
    ' */',
    'export function recursiveTypes(): Readonly<Record<string, string>> {',
    '  return {',
    ...[...recursive].map(([name, way]) => `    ${name}: ${quote(way)},`),
    '  };',
    '}',
    '',
  ].join('\n');
}

/** `imports/schemas/builtin-types.ts`: the type that belongs to each schema. */
export function builtinTypesModule({ fragments, recursive }: BuiltinSchemas, names: readonly FlatName[]): string {
  const indexed = new Set(names.map(({ flat }) => flat));
  const plain = [...fragments.keys()].filter((name) => !recursive.has(name));
  return [
    `// ${MARKER}`,
    `import type { ${plain.filter((name) => !indexed.has(name)).join(', ')} } from '../../src/kubernetes/apimachinery/index.js';`,
    `import type { ${plain.filter((name) => indexed.has(name)).join(', ')} } from '../kinds/index.js';`,
    '',
    '/**',
    ' * Types of the API that a CRD can embed, by the name that `keelson/kinds` exports them under.',
    ' *',
    ' * @public',
    ' */',
    'export interface BuiltinTypes {',
    ...plain.map((name) => `  ${name}: ${name};`),
    '}',
    '',
    '/** @public */',
    'export type BuiltinTypeName = keyof BuiltinTypes;',
    '',
  ].join('\n');
}

class FragmentWriter {
  readonly #model: ApiModel;
  readonly #nameOf: (type: ApiType) => string;

  constructor(model: ApiModel, nameOf: (type: ApiType) => string) {
    this.#model = model;
    this.#nameOf = nameOf;
  }

  fragment(type: ApiType): Node {
    const special = SPECIAL[type.fullName];
    if (special !== undefined) return special;
    const node = this.#node(type.schema);
    if (type.fullName !== `${META}ObjectMeta`) return node;
    const properties = node['properties'] as Record<string, Node>;
    return { ...node, properties: Object.fromEntries(EMBEDDED_METADATA.map((name) => [name, properties[name]])) };
  }

  #node(schema: OpenApiSchema): Node {
    const reference = referenceOf(schema);
    const inner = reference === undefined ? this.#inline(schema) : { $ref: this.#reference(reference) };
    const mapType = schema['x-kubernetes-map-type'];
    return mapType === undefined ? inner : { ...inner, 'x-kubernetes-map-type': mapType };
  }

  #inline(schema: OpenApiSchema): Node {
    const { type, format, enum: values } = schema;
    if (type === undefined || schema.oneOf !== undefined) throw new Error(`a schema without a type is new: ${JSON.stringify(schema)}`);
    return {
      type,
      ...(format === undefined ? {} : { format }),
      ...(values === undefined ? {} : { enum: values }),
      ...(schema.required === undefined ? {} : { required: schema.required }),
      ...(schema.properties === undefined ? {} : { properties: this.#properties(schema) }),
      ...(schema.additionalProperties === undefined ? {} : { additionalProperties: this.#node(schema.additionalProperties) }),
      ...(schema.items === undefined ? {} : this.#list(schema)),
    };
  }

  #properties({ properties = {}, required = [] }: OpenApiSchema): Node {
    const sorted = Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(
      sorted.map(([name, schema]) => {
        const node = this.#node(schema);
        // The document gives every Go value that is not a pointer its zero value. On a required field or an object that is not a default of the API:
        // in a CRD it would make `required` idle and write empty objects.
        const isDefault = schema.default !== undefined && typeof schema.default !== 'object' && !required.includes(name);
        return [name, isDefault ? { ...node, default: schema.default } : node];
      }),
    );
  }

  #list(schema: OpenApiSchema): Node {
    const items = schema.items ?? {};
    const listType = schema['x-kubernetes-list-type'];
    const keys = schema['x-kubernetes-list-map-keys'];
    return {
      items: this.#withDefaultedKeys(this.#node(items), items, keys ?? []),
      ...(listType === undefined ? {} : { 'x-kubernetes-list-type': listType }),
      ...(keys === undefined ? {} : { 'x-kubernetes-list-map-keys': keys }),
    };
  }

  /** apiextensions wants a list-map key to be required or to have a default. The built-in API reads an absent key as the zero value: so does the default. */
  #withDefaultedKeys(node: Node, items: OpenApiSchema, keys: readonly string[]): Node {
    const target = this.#model.types.get(referenceOf(items) ?? '')?.schema ?? items;
    const open = keys.filter((key) => !target.required?.includes(key) && target.properties?.[key]?.default === undefined);
    if (open.length === 0) return node;
    if (open.some((key) => target.properties?.[key]?.type !== 'string'))
      throw new Error(`list-map keys ${open.join()} need a default that is not known`);
    return { ...node, $keys: open };
  }

  #reference(fullName: string): string {
    const type = this.#model.types.get(fullName);
    if (type === undefined) throw new Error(`${fullName} is used by a schema but is not a type of the model`);
    return this.#nameOf(type);
  }
}

/** Depth first along `$ref`; the way is kept for the message. */
function recursiveTypes(fragments: ReadonlyMap<string, Node>): Map<string, string> {
  const recursive = new Map<string, string>();
  for (const start of fragments.keys()) {
    const way = wayBack(start, [], fragments);
    if (way !== undefined) recursive.set(start, way.join(' → '));
  }
  return recursive;
}

function wayBack(name: string, above: readonly string[], fragments: ReadonlyMap<string, Node>): readonly string[] | undefined {
  const way = [...above, name];
  if (above.includes(name)) return way;
  for (const next of referencesIn(fragments.get(name))) {
    const found = wayBack(next, way, fragments);
    if (found !== undefined) return found;
  }
  return undefined;
}

function referencesIn(node: unknown): Set<string> {
  const found = new Set<string>();
  const text = JSON.stringify(node ?? {});
  for (const match of text.matchAll(/"\$(?:ref|recursive)":"(\w+)"/g)) if (match[1] !== undefined) found.add(match[1]);
  return found;
}
