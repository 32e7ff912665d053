// The operator of the website benchmark: each Website owns a ConfigMap, a Deployment and a Service. bench/website/controller-runtime is the same in Go.
import { defineController, defineCustomResource, defineOperator, k } from 'keelson';
import { ConfigMap, Deployment, Pod, Service } from 'keelson/kinds';
import { z } from 'zod';

export const Website = defineCustomResource({
  group: 'bench.example.com',
  kind: 'Website',
  versions: {
    v1: {
      spec: z.object({
        title: z.string().max(200).default('untitled'),
        replicas: k.int32().min(0).max(100).default(1),
      }),
      status: z.object({
        replicas: k.int32().optional(),
        observedGeneration: k.int64().optional(),
        conditions: k.conditions(),
      }),
    },
  },
});

function childrenOf({ metadata: { name }, spec: { title, replicas } }) {
  const labels = { 'app.kubernetes.io/name': 'website', 'app.kubernetes.io/instance': name };
  const container = {
    name: 'web',
    image: 'registry.example.com/web:1',
    ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    resources: { requests: { cpu: '100m', memory: '64Mi' } },
    volumeMounts: [{ name: 'content', mountPath: '/content' }],
  };
  const template = { metadata: { labels }, spec: { containers: [container], volumes: [{ name: 'content', configMap: { name } }] } };
  const ports = [{ name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' }];
  return {
    configs: [ConfigMap({ metadata: { name, labels }, data: { title, 'index.html': `<!doctype html><title>${title}</title>` } })],
    deployments: [Deployment({ metadata: { name, labels }, spec: { replicas, selector: { matchLabels: labels }, template } })],
    services: [Service({ metadata: { name, labels }, spec: { selector: labels, ports } })],
  };
}

/** @param {boolean} pods caches all Pods as well */
export function websiteOperator(pods) {
  const website = defineController({
    name: 'website',
    for: Website,
    owns: { configs: ConfigMap, deployments: Deployment, services: Service },
    ...(pods ? { watches: { pods: Pod } } : {}),
    reconcile({ object, deployments, done }) {
      const ready = deployments.get(object.metadata.name)?.status?.readyReplicas ?? 0;
      return done({
        owned: childrenOf(object),
        status: { replicas: ready },
        conditions: [{ type: 'Ready', status: ready >= object.spec.replicas, reason: 'Pods' }],
      });
    },
  });
  return defineOperator({ name: 'website-operator', controllers: [website] });
}
