import { isJsonObject, type Json } from '@keelson/kubernetes/apimachinery';
import {
  type CustomResourceModel,
  crdSizeWarning,
  customResourceDefinitionManifest,
  manifestBytes,
  type OperatorModel,
} from '../../definition/index.js';

/**
 * The same operator, whose schemas are replaced by small marks.
 *
 * No value of a chart changes a schema, and schemas make up nearly all of an operator's manifests: while templates are learned, from thousands of syntheses, a mark
 * stands for each. {@link withSchemas} puts them back.
 */
export function withoutSchemas(operator: OperatorModel): OperatorModel {
  return { ...operator, customResources: operator.customResources.map(marked) };
}

export function marked(resource: CustomResourceModel): CustomResourceModel {
  // Helm does not apply as kubectl does: the size of its release is what counts, and has a warning of its own.
  const size = crdSizeWarning(manifestBytes(customResourceDefinitionManifest(resource, { conversionWebhook: false })));
  return {
    ...resource,
    warnings: resource.warnings.filter((warning) => warning !== size),
    versionList: resource.versionList.map((version) => ({ ...version, schema: { type: 'object', title: markOf(resource, version.name) } })),
  };
}

function markOf({ plural, group }: CustomResourceModel, version: string): string {
  return `schema of ${plural}.${group}/${version}, put back by keelson`;
}

interface Version {
  readonly name: string;
  readonly schema: { readonly openAPIV3Schema: Json };
}

/** A function that puts the schemas of an operator back where their marks are. */
export function withSchemas(resources: readonly CustomResourceModel[]): (value: Json) => Json {
  const schemas = new Map<string, Json>();
  for (const resource of resources) {
    const manifest = customResourceDefinitionManifest(resource, { conversionWebhook: false });
    const { versions } = manifest['spec'] as unknown as { readonly versions: readonly Version[] };
    for (const { name, schema } of versions) schemas.set(markOf(resource, name), sorted(schema.openAPIV3Schema));
  }
  const restored = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(restored);
    if (!isJsonObject(value)) return value;
    const { title } = value;
    const schema = typeof title === 'string' ? schemas.get(title) : undefined;
    return schema ?? mapped(value, restored);
  };
  return restored;
}

function mapped(value: Readonly<Record<string, Json>>, map: (field: Json) => Json): Json {
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, map(field)]));
}

/** With the keys in the order in which constructs write them. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, field]) => [key, sorted(field)]),
  );
}
