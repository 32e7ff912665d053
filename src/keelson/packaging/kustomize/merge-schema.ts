import type { Json, StructuralSchema } from '@keelson/kubernetes/apimachinery';
import { mergeDefinitionTexts } from '../../../../imports/openapi/merge-definitions.js';
import { type CustomKind, customKindsOf } from '../custom-kinds.js';

const OBJECT_META = { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };

/**
 * The file behind `openapi` of the base: by which keys patches merge the lists of custom resources.
 *
 * Kustomize reads no other schema beside it, so the file has the built-in kinds too: without them, a patch of one container would drop the others.
 * Source: kyaml `openapi/openapi.go` (`initSchema`, `PatchStrategyAndKeyList`).
 */
export function mergeSchemaText(objects: readonly Json[]): string {
  const kinds = customKindsOf(objects);
  const builtin = Object.entries(mergeDefinitionTexts()).map(([name, text]): [string, unknown] => [name, JSON.parse(text)]);
  const custom = kinds.map((kind): [string, unknown] => [definitionName(kind), kindDefinition(kind)]);
  const document = {
    swagger: '2.0',
    info: { title: 'Merge keys for Kustomize', version: '1' },
    paths: Object.fromEntries(kinds.map((kind) => [pathOf(kind), { get: { 'x-kubernetes-group-version-kind': groupVersionKind(kind) } }])),
    definitions: Object.fromEntries([...builtin, ...custom]),
  };
  return `${JSON.stringify(document, undefined, 1)}\n`;
}

/** As the API server names the definitions of custom resources. */
function definitionName({ group, version, kind }: CustomKind): string {
  return [...group.split('.').reverse(), version, kind].join('.');
}

/** Kustomize knows by the path whether a kind has namespaces. */
function pathOf({ group, version, plural, scope }: CustomKind): string {
  return `/apis/${group}/${version}/${scope === 'Namespaced' ? 'namespaces/{namespace}/' : ''}${plural}/{name}`;
}

function groupVersionKind({ group, version, kind }: CustomKind): object {
  return { group, kind, version };
}

function kindDefinition(kind: CustomKind): object {
  const properties = Object.entries(kind.schema.properties ?? {}).filter(([name]) => name !== 'metadata');
  return {
    properties: { ...mergeProperties(Object.fromEntries(properties)), metadata: OBJECT_META },
    'x-kubernetes-group-version-kind': [groupVersionKind(kind)],
  };
}

/** The fields that lead to a list with keys or a set, and these lists as patches see them. */
function mergeFields(schema: StructuralSchema): object | undefined {
  const { properties = {}, items, additionalProperties } = schema;
  const inner = mergeProperties(properties);
  const fields = {
    ...listFields(schema),
    ...(Object.keys(inner).length === 0 ? {} : { properties: inner }),
    ...child('items', items),
    ...child('additionalProperties', typeof additionalProperties === 'object' ? additionalProperties : undefined),
  };
  if (Object.keys(fields).length === 0) return undefined;
  // Kustomize looks into the items of what says that it is a list.
  return items === undefined ? fields : { type: 'array', ...fields };
}

function mergeProperties(properties: Readonly<Record<string, StructuralSchema>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const fields = mergeFields(property);
      return fields === undefined ? [] : [[name, fields] as const];
    }),
  );
}

function child(name: string, schema: StructuralSchema | undefined): object {
  const fields = schema === undefined ? undefined : mergeFields(schema);
  return fields === undefined ? {} : { [name]: fields };
}

function listFields(schema: StructuralSchema): object {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  switch (schema['x-kubernetes-list-type']) {
    case 'map':
      return {
        'x-kubernetes-patch-strategy': 'merge',
        'x-kubernetes-patch-merge-key': keys[0],
        'x-kubernetes-list-map-keys': keys,
      };
    case 'set':
      return { 'x-kubernetes-patch-strategy': 'merge' };
    default:
      return {};
  }
}
