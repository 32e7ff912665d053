import { defineController, defineCustomResource, defineOperator, k } from 'keelson';
import { ConfigMap, Deployment } from 'keelson/kinds';
import { z } from 'zod';

/** The kind as the CRD of the operator in Go has it. */
export const Memcached = defineCustomResource({
  group: 'cache.example.com',
  kind: 'Memcached',
  versions: {
    v1alpha1: {
      spec: z.object({ size: k.int32().min(0).max(5).default(1), containerPort: k.int32().min(1).max(65_535).default(11_211) }),
      status: z.object({ nodes: z.array(z.string()).optional(), conditions: k.conditions() }),
    },
  },
});
export type Memcached = ReturnType<typeof Memcached>;

/** What the operator in Go makes of it, but for a label, a setting and a condition that it has dropped. */
export function memcachedTwin(formerFieldManagers: readonly string[]) {
  const controller = defineController({
    name: 'memcached',
    for: Memcached,
    owns: { settings: ConfigMap, deployments: Deployment },
    finalizer: 'cache.example.com/finalizer',
    formerFieldManagers,
    reconcile({ object: { metadata, spec }, done }) {
      const { name } = metadata;
      const labels = { 'app.kubernetes.io/name': 'memcached', 'app.kubernetes.io/instance': name };
      const container = {
        name: 'memcached',
        image: 'registry.example.com/memcached:1.6',
        imagePullPolicy: 'IfNotPresent' as const,
        command: ['memcached', '-m=64', '-o', 'modern', '-v'],
        ports: [{ name: 'memcached', containerPort: spec.containerPort, protocol: 'TCP' as const }],
      };
      const template = { metadata: { labels }, spec: { securityContext: { runAsNonRoot: true }, containers: [container] } };
      return done({
        owned: {
          settings: [ConfigMap({ metadata: { name }, data: { port: String(spec.containerPort) } })],
          deployments: [
            Deployment({
              metadata: { name, labels: { 'app.kubernetes.io/name': 'memcached' } },
              spec: { replicas: spec.size, selector: { matchLabels: labels }, template },
            }),
          ],
        },
        status: { nodes: [name] },
        conditions: [{ type: 'Available', status: true, reason: 'Reconciled' }],
      });
    },
    finalize: () => undefined,
  });
  return defineOperator({ name: 'memcached-operator', controllers: [controller] });
}
