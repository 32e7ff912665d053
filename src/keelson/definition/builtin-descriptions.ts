import { isRecord, OperatorError, type StructuralSchema } from '@keelson/kubernetes/apimachinery';
import type { EmbeddedTypeModel } from './model.js';

/** An OpenAPI document of an API server, parsed: of a group version (v3, `components.schemas`), or of all (v2, `definitions`). */
export type OpenApiDocument = { readonly components: { readonly schemas?: unknown } } | { readonly definitions: unknown };

/** Descriptions were asked for that the documents do not have. */
export class BuiltinDescriptionsError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_BUILTIN_DESCRIPTIONS';
}

/** The part of a schema of the document that is read. */
interface DescribedSchema {
  readonly $ref?: string;
  readonly allOf?: readonly DescribedSchema[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, DescribedSchema>>;
  readonly items?: DescribedSchema;
  readonly additionalProperties?: DescribedSchema | boolean;
}

type Types = ReadonlyMap<string, DescribedSchema>;

const WHERE = 'take it from an API server: kubectl get --raw /openapi/v3/api/v1, or /openapi/v3/apis/apps/v1 for a type of apps';

/**
 * Adds the descriptions of embedded built-in types. A description of the author's own stays; nothing but descriptions is taken from the documents, so that a document of
 * another version changes no rule: fields that it lacks get none.
 *
 * @throws BuiltinDescriptionsError for what is not an OpenAPI document, and for a type that no document describes
 */
export function withBuiltinDescriptions(
  schema: StructuralSchema,
  embedded: readonly EmbeddedTypeModel[],
  documents: readonly OpenApiDocument[],
): StructuralSchema {
  const types: Types = new Map(documents.flatMap((document) => Object.entries(typesOf(document))));
  return embedded.reduce(
    (whole, { path, type }) => changedAt(whole, path, (node) => described(node, typeOf(type, node, types), types)),
    schema,
  );
}

function typesOf(document: unknown): Readonly<Record<string, DescribedSchema>> {
  const found = isRecord(document)
    ? isRecord(document['components'])
      ? document['components']['schemas']
      : document['definitions']
    : undefined;
  if (isRecord(found)) return found as Readonly<Record<string, DescribedSchema>>;
  throw new BuiltinDescriptionsError(
    `builtinDescriptions: the document is not one of OpenAPI: it has neither components.schemas nor definitions; ${WHERE}`,
  );
}

/** `io.k8s.api.core.v1.ResourceClaim` may be called `ResourceClaim` or `CoreV1ResourceClaim`: of several types of a name, the one with all fields of the schema. */
function typeOf(name: string, node: StructuralSchema, types: Types): DescribedSchema {
  const candidates = [...types]
    .filter(([key]) => isCalled(name, key))
    .sort(([a], [b]) => Number(isStable(b)) - Number(isStable(a)) || (a < b ? -1 : 1));
  const fields = Object.keys(node.properties ?? {});
  const covered = ({ properties = {} }: DescribedSchema): number => fields.filter((field) => Object.hasOwn(properties, field)).length;
  const [best] = candidates.map(([, schema]) => schema).sort((a, b) => covered(b) - covered(a));
  if (best === undefined)
    throw new BuiltinDescriptionsError(
      `builtinDescriptions: no document has the type ${name}, which the schema embeds; add one that has it: ${WHERE}`,
    );
  if (best.description === undefined && Object.values(best.properties ?? {}).every(({ description }) => description === undefined))
    throw new BuiltinDescriptionsError(`builtinDescriptions: the document has the type ${name} without any description; ${WHERE}`);
  return best;
}

function isCalled(name: string, key: string): boolean {
  const parts = key.split('.');
  const [group = '', version = '', type = ''] = parts.slice(-3);
  return name === type || name === [group, version].map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('') + type;
}

function isStable(key: string): boolean {
  return /\.v\d+\.[^.]+$/.test(key);
}

function described(node: StructuralSchema, found: DescribedSchema | undefined, types: Types): StructuralSchema {
  if (found === undefined) return node;
  const source = resolved(found, types);
  // A field says more of itself than its type does.
  const description = node.description ?? found.description ?? source.description;
  const { properties, items, additionalProperties } = node;
  const values = source.additionalProperties;
  return {
    ...node,
    ...(description === undefined || description === '' ? {} : { description }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, property]) => [name, described(property, own(source.properties, name), types)]),
          ),
        }),
    ...(items === undefined ? {} : { items: described(items, source.items, types) }),
    ...(typeof additionalProperties === 'object' && typeof values === 'object'
      ? { additionalProperties: described(additionalProperties, values, types) }
      : {}),
  };
}

/** The type behind a reference: v2 writes `$ref`, v3 writes it into `allOf` beside what the field says itself. */
function resolved(schema: DescribedSchema, types: Types): DescribedSchema {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (reference === undefined) return schema;
  return types.get(reference.slice(reference.lastIndexOf('/') + 1)) ?? schema;
}

function own<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

function changedAt(
  node: StructuralSchema,
  path: readonly string[],
  change: (node: StructuralSchema) => StructuralSchema,
): StructuralSchema {
  const [step, ...rest] = path;
  if (step === undefined) return change(node);
  if (step !== 'properties') {
    const below = node[step as 'items' | 'additionalProperties'] as StructuralSchema;
    return { ...node, [step]: changedAt(below, rest, change) };
  }
  const [name = '', ...further] = rest;
  const property = own(node.properties, name);
  if (property === undefined) return node;
  return { ...node, properties: { ...node.properties, [name]: changedAt(property, further, change) } };
}
