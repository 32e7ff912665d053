import { z } from 'zod';
import type { FoundManifest } from '../../../src/cli/manifests/index.js';
import { defineController, defineCustomResource, defineOperator, external, k } from '../../../src/keelson/index.js';
import { ConfigMap, Deployment, Secret } from '../../../src/kubernetes/kinds/index.js';

export const Kiln = defineCustomResource({
  group: 'lab.example.org',
  kind: 'Kiln',
  versions: {
    v1: {
      spec: z.object({
        replicas: k.int32().min(0).default(1),
        image: z.string().default('kiln:1'),
        mode: z.enum(['plain', 'fails', 'hangs', 'asks', 'secret', 'restless']).default('plain'),
      }),
      status: z.object({ ready: k.int32().optional(), conditions: k.conditions() }),
    },
  },
});

interface Shop {
  order(name: string): Promise<string>;
}

const shop = external<Shop>();

/** What a release of the operator does otherwise than the first one. */
export interface KilnRelease {
  readonly label?: string;
  readonly port?: number;
  readonly image?: string;
  readonly configName?: string;
  readonly hasConfig?: boolean;
  readonly replicas?: number;
  readonly annotation?: string;
  readonly env?: string;
  readonly serviceName?: string;
}

export function kilnOperator(release: KilnRelease = {}) {
  const { label = 'kiln', port = 80, image, configName = 'settings', hasConfig = true, replicas, annotation, env = 'a' } = release;
  const controller = defineController({
    name: 'kiln',
    for: Kiln,
    owns: { deployments: Deployment, configs: ConfigMap, secrets: Secret },
    uses: { shop },
    async reconcile({ object: { metadata, spec }, deployments, shop: outside, done }) {
      const { name } = metadata;
      if (spec.mode === 'fails') throw new Error('the kiln is cold');
      if (spec.mode === 'hangs') await new Promise(() => undefined);
      if (spec.mode === 'asks') await outside.order(name);
      const labels = { app: name };
      const container = { name: 'kiln', image: image ?? spec.image, ports: [{ containerPort: port }], env: [{ name: 'MODE', value: env }] };
      const template = { metadata: { labels: { ...labels, kind: label } }, spec: { containers: [container] } };
      return done({
        owned: {
          deployments: [
            Deployment({
              metadata: { name, ...(annotation === undefined ? {} : { annotations: { note: annotation } }) },
              spec: { replicas: replicas ?? spec.replicas, selector: { matchLabels: labels }, template },
            }),
          ],
          configs: hasConfig ? [ConfigMap({ metadata: { name: `${name}-${configName}` }, data: { heat: 'high' } })] : [],
          secrets: spec.mode === 'secret' ? [Secret({ metadata: { name: `${name}-key` }, stringData: { key: 'hunter2' } })] : [],
        },
        status: { ready: deployments.get(name)?.status?.readyReplicas ?? 0 },
        conditions: [{ type: 'Ready', status: true, reason: 'Written' }],
      });
    },
  });
  return defineOperator({ name: 'kiln-operator', controllers: [controller] });
}

export const kiln = (name: string, spec: object = {}, metadata: object = {}): FoundManifest => ({
  place: `${name}.yaml`,
  object: {
    apiVersion: 'lab.example.org/v1',
    kind: 'Kiln',
    metadata: { name, namespace: 'shop', ...metadata },
    spec,
  } as FoundManifest['object'],
  strictProblems: [],
});
