import type { CustomResourceDefinition } from '../../../kinds/index.js';
import type { StructuralSchema } from '../../../kubernetes/index.js';

/** A CustomResourceDefinition as the server keeps it: JSON in Go's normal form. */
export type Definition = CustomResourceDefinition;
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

/** Undefined: the version has no schema. What the schema says was checked when the definition was made. */
export function schemaOf({ schema }: DefinitionVersion): StructuralSchema | undefined {
  return (schema?.openAPIV3Schema ?? undefined) as StructuralSchema | undefined;
}
