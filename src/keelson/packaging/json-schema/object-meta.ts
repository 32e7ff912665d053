import type { MetadataField, OwnerReference } from '@keelson/kubernetes/apimachinery';
import type { DraftSchema } from './draft-schema.js';

const TEXT: DraftSchema = { type: 'string' };
const TEXTS: DraftSchema = { type: 'object', additionalProperties: TEXT };
const TIME: DraftSchema = { type: 'string', format: 'date-time' };

/** `metadata` of every object. Source: apimachinery `meta/v1/types.go`. */
export const OBJECT_META: DraftSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    name: TEXT,
    generateName: TEXT,
    namespace: TEXT,
    labels: TEXTS,
    annotations: TEXTS,
    finalizers: { type: 'array', items: TEXT },
    ownerReferences: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['apiVersion', 'kind', 'name', 'uid'],
        properties: {
          apiVersion: TEXT,
          kind: TEXT,
          name: TEXT,
          uid: TEXT,
          controller: { type: 'boolean' },
          blockOwnerDeletion: { type: 'boolean' },
        } satisfies Record<keyof OwnerReference, DraftSchema>,
      },
    },
    uid: TEXT,
    resourceVersion: TEXT,
    generation: { type: 'integer' },
    creationTimestamp: { type: ['string', 'null'], format: 'date-time' },
    deletionTimestamp: TIME,
    deletionGracePeriodSeconds: { type: 'integer' },
    selfLink: TEXT,
    managedFields: { type: 'array', items: { type: 'object' } },
  } satisfies Record<MetadataField, DraftSchema>,
};
