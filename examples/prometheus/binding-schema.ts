import { type DeepReadonly, k } from 'keelson';
import { z } from 'zod';

const accepted = z.object({
  type: z.enum(['Accepted']),
  status: z.enum(['True', 'False', 'Unknown']),
  lastTransitionTime: k.timestamp(),
  reason: z.string().optional(),
  message: z.string().optional(),
  observedGeneration: k.int64().optional(),
});

const binding = z.object({
  group: z.enum(['monitoring.coreos.com']),
  resource: z.enum(['prometheuses', 'prometheusagents', 'thanosrulers', 'alertmanagers']),
  name: z.string().min(1),
  namespace: z.string().min(1),
  conditions: k.listMap(accepted, 'type').optional(),
});

/** The status of everything that a Prometheus selects. */
export const boundStatus = z.object({
  bindings: k
    .listMap(binding, 'group', 'resource', 'name', 'namespace')
    .optional()
    .describe('The Prometheuses that select it, and whether each accepts it or leaves it out.'),
});

export type Binding = DeepReadonly<z.output<typeof binding>>;
