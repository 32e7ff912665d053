/** The kinds that are measured. Bodies are made before the clock runs. */
export interface Subject {
  readonly title: string;
  readonly collection: string;
  /** JSON of an object. */
  readonly body: (name: string, size: number) => string;
  /** Merge patch that changes the object. */
  readonly patch: (n: number) => string;
  /** Apply configuration, as JSON (which is YAML). */
  readonly apply: (name: string, n: number) => string;
}

const NAMESPACE = 'default';
const padding = (size: number): string => 'x'.repeat(Math.max(0, size));

export const CONFIG_MAP: Subject = {
  title: 'ConfigMap',
  collection: `/api/v1/namespaces/${NAMESPACE}/configmaps`,
  body: (name, size) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels: { app: 'bench' } },
      data: Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`key-${n}`, padding((size - 250) / 8)])),
    }),
  patch: (n) => JSON.stringify({ data: { 'key-0': `patched ${n}` } }),
  apply: (name, n) => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { applied: `${n}` } }),
};

const container = (size: number): object => ({
  name: 'main',
  image: 'example.com/main:1',
  ports: [{ containerPort: 8080, name: 'http' }],
  env: Array.from({ length: Math.max(1, Math.floor((size - 500) / 60)) }, (_, n) => ({ name: `VARIABLE_${n}`, value: padding(30) })),
  resources: { requests: { cpu: '100m', memory: '64Mi' } },
});

export const DEPLOYMENT: Subject = {
  title: 'Deployment',
  collection: `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`,
  body: (name, size) =>
    JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, labels: { app: name } },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name } }, spec: { containers: [container(size)] } },
      },
    }),
  patch: (n) => JSON.stringify({ spec: { replicas: n % 50 } }),
  apply: (name, n) =>
    JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: {
            containers: [{ name: 'main', image: `example.com/main:${n}`, ports: [{ containerPort: 8080, protocol: 'TCP', name: 'http' }] }],
          },
        },
      },
    }),
};

const text = { type: 'string', maxLength: 10_000 };

/** Validated, defaulted and with a rule, as those of operators are. */
export const DEFINITION: string = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.bench.keelson.dev' },
  spec: {
    group: 'bench.keelson.dev',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                'x-kubernetes-validations': [{ rule: 'self.size <= self.limit', message: 'size is beyond the limit' }],
                properties: {
                  size: { type: 'integer', minimum: 0 },
                  limit: { type: 'integer', default: 1_000_000 },
                  parts: {
                    type: 'array',
                    maxItems: 500,
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: { type: 'object', required: ['name'], properties: { name: text, value: text } },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
});

const part = (n: number): object => ({ name: `part-${n}`, value: padding(30) });

export const WIDGET: Subject = {
  title: 'custom resource',
  collection: `/apis/bench.keelson.dev/v1/namespaces/${NAMESPACE}/widgets`,
  body: (name, size) =>
    JSON.stringify({
      apiVersion: 'bench.keelson.dev/v1',
      kind: 'Widget',
      metadata: { name, labels: { app: 'bench' } },
      spec: { size: 1, parts: Array.from({ length: Math.max(1, Math.floor((size - 200) / 62)) }, (_, n) => part(n)) },
    }),
  patch: (n) => JSON.stringify({ spec: { size: n + 2 } }),
  apply: (name, n) =>
    JSON.stringify({ apiVersion: 'bench.keelson.dev/v1', kind: 'Widget', metadata: { name }, spec: { limit: 2_000_000 + n, size: n + 2 } }),
};

export const SUBJECTS: readonly Subject[] = [CONFIG_MAP, DEPLOYMENT, WIDGET];
