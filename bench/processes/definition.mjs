// One custom resource of usual size: nested objects, a union, a list map, rules, defaults, a status with conditions.
import { defineCustomResource, k } from 'keelson';
import { z } from 'zod';

export const schemas = () => ({
  spec: z
    .object({
      replicas: k.int32().min(0).max(100).default(3).describe('Number of pods.'),
      image: z.string().min(1).max(512).describe('Image of the pods.'),
      port: k.port().default(8080),
      host: z.string().max(253).optional(),
      paused: z.boolean().default(false),
      level: z.enum(['debug', 'info', 'warn']).default('info'),
      labels: z.record(z.string(), z.string()).optional(),
      cache: z.object({ megabytes: k.int32().default(64), policy: z.enum(['lru', 'lfu']).default('lru') }).prefault({}),
      limits: k
        .listMap(z.object({ name: z.string().max(63), value: k.quantity() }), 'name')
        .max(16)
        .optional(),
      source: z.discriminatedUnion('type', [
        z.object({ type: z.literal('git'), url: z.string().max(1024), branch: z.string().max(255).optional() }),
        z.object({ type: z.literal('bucket'), name: z.string().max(63) }),
      ]),
      zones: k.set(z.string().max(63)).max(8).optional(),
      timeout: k.duration().default('30s'),
      resources: k.builtin('ResourceRequirements').optional(),
    })
    .check(k.rule('self.port != 22', { message: 'port 22 is reserved' })),
  status: z.object({ replicas: k.int32().optional(), nodes: k.set(z.string()).optional(), conditions: k.conditions() }),
});

export const definition = (version, index) =>
  defineCustomResource({
    group: `g${index}.bench.example.com`,
    kind: 'Service',
    versions: { v1: { ...version, columns: [{ name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' }] } },
  });

export const sampleSpec = {
  image: 'registry.example.com/service:1.0',
  host: 'service.example.com',
  limits: [{ name: 'cpu', value: '100m' }],
  source: { type: 'git', url: 'https://git.example.com/service.git' },
};
