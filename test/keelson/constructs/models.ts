import type { AdmissionWebhookModel, CustomResourceModel, CustomResourceVersionModel, OperatorModel } from 'keelson';
import { own, read } from 'keelson';
import { Deployment, Pod, Secret } from 'keelson/kinds';

/** Definitions as the builders produce them, written by hand: what is emitted here does not depend on how it was authored. */

function root(
  spec: CustomResourceVersionModel['schema'],
  status?: CustomResourceVersionModel['schema'],
): CustomResourceVersionModel['schema'] {
  return {
    type: 'object',
    required: ['spec'],
    properties: {
      spec,
      ...(status === undefined ? {} : { status }),
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
    },
  };
}

export const memcachedVersion: CustomResourceVersionModel = {
  name: 'v1alpha1',
  served: true,
  storage: true,
  deprecated: false,
  status: true,
  scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' },
  columns: [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', priority: 0 },
  ],
  selectableFields: ['.spec.image'],
  schema: root(
    {
      type: 'object',
      description: 'What is wanted.',
      properties: {
        size: { type: 'integer', format: 'int32', minimum: 1, maximum: 5, default: 3, description: 'Number of memcached pods.' },
        image: { type: 'string', minLength: 1, default: 'memcached:1.6' },
        description: { type: 'string', nullable: true, default: null, description: 'A property that is called like a keyword.' },
        extra: { type: 'object', default: { note: null }, properties: { note: { type: 'string', nullable: true } } },
      },
      'x-kubernetes-validations': [{ rule: 'self.size <= 5', message: 'size must be at most 5' }],
    },
    {
      type: 'object',
      properties: {
        replicas: { type: 'integer', format: 'int32' },
        selector: { type: 'string' },
        nodes: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      },
    },
  ),
};

export const memcached: CustomResourceModel = {
  group: 'cache.example.com',
  kind: 'Memcached',
  plural: 'memcacheds',
  singular: 'memcached',
  listKind: 'MemcachedList',
  shortNames: ['mc'],
  categories: [],
  scope: 'Namespaced',
  labels: {},
  annotations: {},
  versionList: [memcachedVersion],
  storageVersion: 'v1alpha1',
  warnings: [],
};

export const memcachedKind = {
  group: 'cache.example.com',
  version: 'v1alpha1',
  kind: 'Memcached',
  plural: 'memcacheds',
  scope: 'Namespaced',
  subresources: ['status', 'scale'],
  customResource: memcached,
} as const;

/** Two versions with conversion, cluster-scoped, with everything optional set. */
export const pool: CustomResourceModel = {
  group: 'net.example.com',
  kind: 'Pool',
  plural: 'pools',
  singular: 'pool',
  listKind: 'PoolList',
  shortNames: [],
  categories: ['all'],
  scope: 'Cluster',
  labels: { team: 'net' },
  annotations: { 'example.com/owner': 'net' },
  versionList: [
    {
      name: 'v1',
      served: true,
      storage: true,
      deprecated: false,
      status: false,
      columns: [],
      selectableFields: [],
      schema: root({ type: 'object', properties: { cidrs: { type: 'array', items: { type: 'string' } } } }),
    },
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      deprecationWarning: 'net.example.com/v1beta1 Pool is deprecated; use v1',
      status: false,
      columns: [],
      selectableFields: [],
      schema: root({ type: 'object', properties: { cidr: { type: 'string' } } }),
    },
  ],
  storageVersion: 'v1',
  conversions: { v1beta1: { toStorage: (object) => object, fromStorage: (object) => object } },
  warnings: [],
};

export const poolKind = {
  group: 'net.example.com',
  version: 'v1',
  kind: 'Pool',
  plural: 'pools',
  scope: 'Cluster',
  subresources: [],
  customResource: pool,
} as const;

export function webhookOf(change: Partial<AdmissionWebhookModel>): AdmissionWebhookModel {
  return {
    type: 'validating',
    name: 'validating.memcacheds.cache.example.com',
    path: '/validate-cache-example-com-v1alpha1-memcached',
    kinds: [memcachedKind],
    operations: ['CREATE', 'UPDATE'],
    matchConditions: [],
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    reinvocationPolicy: 'Never',
    sideEffects: 'None',
    timeoutSeconds: 5,
    handle: () => [],
    ...change,
  };
}

const controller = {
  name: 'memcached',
  for: memcachedKind,
  owns: { deployments: own(Deployment) },
  watches: { pods: { kind: Pod, verbs: ['delete'], indexes: {} } },
  reads: { secrets: read(Secret, { verbs: ['get', 'list'] }) },
  uses: {},
  observes: {},
  background: {},
  abortOn: [],
  permissions: [],
  writesStatus: true,
  finalizer: 'memcached.cache.example.com/finalizer',
  reconcile: () => undefined,
} as const;

/** No webhooks: nothing is served over TLS. */
export const plainOperator: OperatorModel = {
  name: 'memcached-operator',
  controllers: [controller],
  webhooks: [],
  policies: [],
  customResources: [memcached],
};

/** Webhooks of both types, conversion, a policy. */
export const fullOperator: OperatorModel = {
  name: 'memcached-operator',
  controllers: [controller, { ...controller, name: 'pool', for: poolKind, owns: {}, watches: {}, reads: {}, writesStatus: false }],
  webhooks: [
    webhookOf({
      type: 'mutating',
      name: 'defaulting.memcacheds.cache.example.com',
      path: '/mutate-cache-example-com-v1alpha1-memcached',
      reinvocationPolicy: 'IfNeeded',
    }),
    webhookOf({}),
    webhookOf({
      type: 'mutating',
      name: 'sidecar.pods.example.com',
      path: '/mutate--v1-pod',
      kinds: [Pod],
      operations: ['CREATE'],
      objectSelector: { matchLabels: { inject: 'yes' } },
      namespaceSelector: { matchExpressions: [{ key: 'inject', operator: 'Exists' }] },
      matchConditions: [{ name: 'not-exempt', expression: "!('exempt' in object.metadata.?labels.orValue({}))" }],
      failurePolicy: 'Ignore',
    }),
  ],
  policies: [
    {
      type: 'policy',
      name: 'small-memcacheds.cache.example.com',
      kind: memcachedKind,
      operations: ['CREATE', 'UPDATE'],
      validations: [
        { expression: 'object.spec.size <= variables.limit', messageExpression: "'at most ' + string(variables.limit)", reason: 'Invalid' },
      ],
      variables: [{ name: 'limit', expression: '5' }],
      matchConditions: [],
      failurePolicy: 'Fail',
      validationActions: ['Deny'],
    },
  ],
  customResources: [memcached, pool],
};
