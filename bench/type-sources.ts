/** The spec that both sides declare: 13 fields with nesting, a union and rules. */
const SPEC = `z.object({
  replicas: k.int32().min(0).max(100).default(3),
  image: z.string().min(1).max(512),
  port: k.port().default(8080),
  host: z.string().max(253).optional(),
  paused: z.boolean().default(false),
  level: z.enum(['debug', 'info', 'warn']).default('info'),
  labels: z.record(z.string(), z.string()).optional(),
  cache: z.object({ megabytes: k.int32().default(64), policy: z.enum(['lru', 'lfu']).default('lru') }).prefault({}),
  limits: k.listMap(z.object({ name: z.string().max(63), value: k.quantity() }), 'name').max(16).optional(),
  source: z.discriminatedUnion('type', [
    z.object({ type: z.literal('git'), url: z.string().max(1024), branch: z.string().max(255).optional() }),
    z.object({ type: z.literal('bucket'), name: z.string().max(63) }),
  ]),
  zones: k.set(z.string().max(63)).max(8).optional(),
  timeout: k.duration().default('30s'),
})`;

const STATUS = 'z.object({ replicas: k.int32().optional(), nodes: k.set(z.string()).optional(), conditions: k.conditions() })';

/** Without keelson: what the schema costs that any user of zod writes. */
export const controlSource = (index: number): string =>
  `import { z } from 'zod';
const spec${index} = ${SPEC.replace(/k\.(int32|port)\(\)/g, 'z.int()')
    .replaceAll('k.quantity()', 'z.string()')
    .replaceAll('k.duration()', 'z.string()')
    .replace(/k\.set\(([^)]*\)[^)]*\))\)/g, 'z.array($1)')
    .replace(/k\.listMap\((z\.object\(.*?\}\)), 'name'\)/g, 'z.array($1)')};
export type Spec${index} = z.output<typeof spec${index}>;
export type SpecInput${index} = z.input<typeof spec${index}>;
`;

/** A definition with a controller: three owned kinds, a watch, a read, three children. */
export const definitionSource = (index: number): string =>
  `import { defineController, defineCustomResource, k, watch, type Resource } from 'keelson';
import { ConfigMap, Deployment, Pod, Secret, Service } from 'keelson/kinds';
import { z } from 'zod';

export const Custom${index} = defineCustomResource({
  group: 'g${index}.bench.example.com', kind: 'Custom${index}',
  versions: { v1: { spec: ${SPEC}.check(k.rule('self.port != 22', { message: 'port 22 is reserved' })), status: ${STATUS} } },
});
export interface Custom${index} extends Resource<typeof Custom${index}> {}

export const controller${index} = defineController({
  name: 'custom${index}',
  for: Custom${index},
  owns: { deployments: Deployment, services: Service, configMaps: ConfigMap },
  watches: { pods: watch(Pod, { verbs: ['delete'], enqueue: (pod) => [{ name: pod.metadata.labels?.['app'] ?? '' }] }) },
  reads: { secrets: Secret },
  async reconcile({ object, deployments, pods, secrets, done }) {
    const { name } = object.metadata;
    const secret = await secrets.get(name);
    const labels = { app: name };
    return done({
      owned: {
        deployments: [Deployment({ metadata: { name }, spec: { replicas: object.spec.replicas, selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: object.spec.image }] } } } })],
        services: [Service({ metadata: { name }, spec: { selector: labels, ports: [{ port: object.spec.port }] } })],
        configMaps: [ConfigMap({ metadata: { name }, data: { secret: secret?.metadata.name ?? '' } })],
      },
      status: { replicas: deployments.get(name)?.status?.readyReplicas ?? 0, nodes: pods.list().map((pod) => pod.metadata.name) },
    });
  },
});
`;
