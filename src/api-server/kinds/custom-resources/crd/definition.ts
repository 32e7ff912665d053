import type { Draft, StructuralSchema } from '@keelson/kubernetes/apimachinery';
import type { CustomResourceDefinition } from '@keelson/kubernetes/kinds';

/** A CustomResourceDefinition as the server keeps it: JSON in Go's normal form. */
export type Definition = Draft<CustomResourceDefinition>;
export type DefinitionSpec = Definition['spec'];
export type DefinitionVersion = DefinitionSpec['versions'][number];
export type DefinitionNames = DefinitionSpec['names'];
export type DefinitionStatus = NonNullable<Definition['status']>;
export type DefinitionCondition = NonNullable<DefinitionStatus['conditions']>[number];
export type Columns = NonNullable<DefinitionVersion['additionalPrinterColumns']>;
export type Subresources = NonNullable<DefinitionVersion['subresources']>;
export type SelectableFields = NonNullable<DefinitionVersion['selectableFields']>;

export const DEFINITIONS = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions' } as const;

/** Go writes `null` for a list that is missing. */
export function versionsOf({ versions }: DefinitionSpec): readonly DefinitionVersion[] {
  return (versions as readonly DefinitionVersion[] | null | undefined) ?? [];
}

export function storageVersionOf(spec: DefinitionSpec): string | undefined {
  return versionsOf(spec).find(({ storage }) => storage)?.name;
}

/** Undefined: the version has no schema. The schema was checked when the definition was made. */
export function schemaOf({ schema }: DefinitionVersion): StructuralSchema | undefined {
  return structuralOf(schema);
}

/** `items: []` is kept as `items: null`, and means an absent list: no code behind this has to know. */
export function structuralOf(validation: DefinitionVersion['schema'] | null): StructuralSchema | undefined {
  const schema = validation?.openAPIV3Schema ?? undefined;
  return schema === undefined ? undefined : (withoutEmptyItems(schema as SchemaNode) as StructuralSchema);
}

type SchemaNode = Readonly<Record<string, unknown>>;

function withoutEmptyItems(schema: SchemaNode): SchemaNode {
  const copy: Record<string, unknown> = { ...schema };
  for (const name of ['items', 'not', 'additionalProperties']) {
    const child = schema[name];
    if (typeof child === 'object' && child !== null) copy[name] = withoutEmptyItems(child as SchemaNode);
  }
  for (const name of ['allOf', 'anyOf', 'oneOf']) {
    const children = schema[name];
    if (Array.isArray(children)) copy[name] = children.map((child: SchemaNode) => withoutEmptyItems(child));
  }
  if (typeof schema['properties'] === 'object' && schema['properties'] !== null) {
    const properties = Object.entries(schema['properties'] as SchemaNode);
    copy['properties'] = Object.fromEntries(properties.map(([name, child]) => [name, withoutEmptyItems(child as SchemaNode)]));
  }
  if (schema['items'] === null) delete copy['items'];
  return copy;
}
