import type { ManagedFieldsEntry, MetadataField, OwnerReference } from '@keelson/kubernetes/apimachinery';
import type { OpenApiSchema } from './open-api-schema.js';

const text: OpenApiSchema = { type: 'string' };
const textMap: OpenApiSchema = { type: 'object', additionalProperties: text };
const time: OpenApiSchema = { type: 'string', format: 'date-time' };
const number: OpenApiSchema = { type: 'integer' };

/** `metadata` of every object. Source: apimachinery, `pkg/apis/meta/v1/types.go`. */
export const OBJECT_META: OpenApiSchema = {
  type: 'object',
  properties: {
    annotations: textMap,
    creationTimestamp: time,
    deletionGracePeriodSeconds: number,
    deletionTimestamp: time,
    finalizers: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    generateName: text,
    generation: number,
    labels: textMap,
    managedFields: {
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      items: {
        type: 'object',
        properties: {
          apiVersion: text,
          fieldsType: text,
          fieldsV1: { type: 'object' },
          manager: text,
          operation: text,
          subresource: text,
          time,
        } satisfies Record<keyof ManagedFieldsEntry, OpenApiSchema>,
      },
    },
    name: text,
    namespace: text,
    ownerReferences: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      items: {
        type: 'object',
        'x-kubernetes-map-type': 'atomic',
        required: ['apiVersion', 'kind', 'name', 'uid'],
        properties: {
          apiVersion: { ...text, default: '' },
          blockOwnerDeletion: { type: 'boolean' },
          controller: { type: 'boolean' },
          kind: { ...text, default: '' },
          name: { ...text, default: '' },
          uid: { ...text, default: '' },
        } satisfies Record<keyof OwnerReference, OpenApiSchema>,
      },
    },
    resourceVersion: text,
    selfLink: text,
    uid: text,
  } satisfies Record<MetadataField, OpenApiSchema>,
};

/** The fields of an object at its root, and of an embedded object too, whatever its schema says. */
export const TYPE_AND_META: { readonly [name: string]: OpenApiSchema } = { apiVersion: text, kind: text, metadata: OBJECT_META };
