import { defineCustomResource, k, type Resource } from 'keelson';
import { z } from 'zod';

/** A group of memcached servers. */
export const Memcached = defineCustomResource({
  group: 'cache.example.com',
  kind: 'Memcached',
  shortNames: ['mc'],
  versions: {
    v1alpha1: {
      // #region spec
      spec: z
        .object({
          size: k.int32().min(1).max(5).default(3).describe('Number of memcached pods.'),
          image: z
            .string()
            .min(1)
            .max(512)
            .optional()
            .describe('Image of the pods, with `memcached` on its PATH. Default: the operator knows.'),
          port: k.port().default(11211).describe('Port that memcached listens on.'),
          resources: k.builtin('ResourceRequirements').optional().describe('Resources of each pod.'),
        })
        .check(k.rule('self.port >= 1024', { message: 'ports below 1024 are for root, which the pods are not', fieldPath: '.port' })),
      // #endregion
      status: z.object({
        replicas: k.int32().optional().describe('Number of pods that exist.'),
        selector: z.string().optional().describe('Label selector of the pods, for the scale subresource.'),
        nodes: k.set(z.string()).optional().describe('Names of the pods.'),
        conditions: k.conditions(),
      }),
      // The name is the value of a label of the pods.
      rules: [{ rule: 'size(self.metadata.name) <= 63', message: 'the name must have at most 63 characters' }],
      scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' },
      columns: [
        { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Image', type: 'string', jsonPath: '.spec.image', priority: 1 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  },
});

/** A Memcached as the controller sees it: defaults applied. */
export interface Memcached extends Resource<typeof Memcached> {}
