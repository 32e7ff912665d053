import { defineController, defineCustomResource, defineOperator, k, type Operator, type Resource } from 'keelson';
import { ConfigMap, Deployment, Service } from 'keelson/kinds';
import { z } from 'zod';

/** An operator as the benchmarks have it: each object owns three children, and says when they are ready. */
export const Website = defineCustomResource({
  group: 'web.example.com',
  kind: 'Website',
  versions: {
    v1: {
      spec: z.object({
        title: z.string().default('untitled'),
        replicas: k.int32().min(0).max(100).default(1),
        withService: z.boolean().default(true),
      }),
      status: z.object({
        replicas: k.int32().optional(),
        observedGeneration: k.int64().optional(),
        conditions: k.conditions(),
      }),
    },
  },
});
export interface Website extends Resource<typeof Website> {}

const labelsOf = ({ metadata: { name } }: Website): Record<string, string> => ({ 'app.kubernetes.io/instance': name });

export const websiteController = defineController({
  name: 'website',
  for: Website,
  owns: { configs: ConfigMap, deployments: Deployment, services: Service },
  reconcile({ object, deployments, done }) {
    const { name } = object.metadata;
    const labels = labelsOf(object);
    const config = ConfigMap({ metadata: { name, labels }, data: { title: object.spec.title } });
    const deployment = Deployment({
      metadata: { name, labels },
      spec: {
        replicas: object.spec.replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'web', image: 'web:1', resources: { requests: { cpu: '1000m', memory: '64Mi' } } }] },
        },
      },
    });
    const service = Service({ metadata: { name, labels }, spec: { selector: labels, ports: [{ port: 80 }] } });
    const ready = deployments.get(name)?.status?.readyReplicas ?? 0;
    return done({
      owned: { configs: [config], deployments: [deployment], services: object.spec.withService ? [service] : [] },
      status: { replicas: ready },
      conditions: [{ type: 'Ready', status: ready >= object.spec.replicas, reason: 'Pods' }],
    });
  },
});

export const websiteOperator: Operator = defineOperator({ name: 'website-operator', controllers: [websiteController] });
