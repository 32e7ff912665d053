import { isRecord, type Json, type Scope, type StructuralSchema } from '@keelson/kubernetes/apimachinery';

/** A version of a kind that a package defines. */
export interface CustomKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: Scope;
  readonly schema: StructuralSchema;
}

interface DefinitionFields {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly scope: Scope;
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly schema: { readonly openAPIV3Schema: StructuralSchema };
    }[];
  };
}

/** Served versions of the kinds that CustomResourceDefinitions among the objects define. */
export function customKindsOf(objects: readonly Json[]): readonly CustomKind[] {
  return objects
    .filter((object) => isRecord(object) && object['kind'] === 'CustomResourceDefinition')
    .flatMap((object) => {
      const { group, names, scope, versions } = (object as unknown as DefinitionFields).spec;
      return versions
        .filter(({ served }) => served)
        .map(({ name, schema }) => ({
          group,
          version: name,
          kind: names.kind,
          plural: names.plural,
          scope,
          schema: schema.openAPIV3Schema,
        }));
    });
}
