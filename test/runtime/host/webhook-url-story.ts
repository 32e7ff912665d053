import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from '@keelson/runtime';
import type { InProcessCluster, KubeApiServerCluster } from '@keelson/testing';
import { Chart, Testing } from 'cdk8s';
import { defaulting, defineCustomResource, defineOperator, k, type OperatorModel, validating } from 'keelson';
import {
  CustomResourceDefinition,
  conversionTargetOf,
  environmentOf,
  type Installation,
  installationOf,
  OperatorRbac,
  WebhookConfigurations,
} from 'keelson/constructs';
import { z } from 'zod';
import type { KubernetesObject } from '../../../src/kubernetes/apimachinery/index.js';
import { kubeconfigConnection, readKubeconfig } from '../../../src/runtime/http/index.js';
import { MemoryLog } from '../harness/running-controller.js';

const Shop = defineCustomResource({
  group: 'outside.example.com',
  kind: 'Shop',
  versions: {
    v1: { spec: z.object({ size: k.int32().default(3), label: z.string().optional() }), storage: true },
    v1beta1: { spec: z.object({ replicas: k.int32() }) },
  },
  convert: {
    v1beta1: {
      toStorage: ({ spec: { replicas } }) => ({ spec: { size: replicas } }),
      fromStorage: ({ spec }) => ({ spec: { replicas: spec.size } }),
      lossy: { fromStorage: { 'spec.label': 'only this story looks at it, at v1' } },
    },
  },
});

const operator = defineOperator({
  name: 'outside',
  webhooks: [
    defaulting(Shop, (shop) => {
      shop.spec.label ??= 'from outside';
    }),
    validating(Shop, ({ spec }) => (spec.size > 5 ? [{ path: 'spec.size', message: 'too large for a test' }] : [])),
  ],
});

export interface OutsideOperator {
  readonly installation: Installation;
  readonly manifests: readonly KubernetesObject[];
}

/** Its manifests, for a process that runs here: no Deployment, no Service. */
export function outside(webhookPort: number, healthPort: number): OutsideOperator {
  const chart = new Chart(Testing.app(), 'test', { namespace: 'outside-system' });
  const installation = installationOf(chart, {
    operator: operator as OperatorModel,
    webhooks: { url: `https://127.0.0.1:${webhookPort}` },
    ports: { webhook: webhookPort, health: healthPort },
    leaderElection: false,
    metrics: false,
    storedVersions: false,
  });
  new CustomResourceDefinition(chart, 'crd', { definition: Shop.customResource, conversionWebhook: conversionTargetOf(installation) });
  new OperatorRbac(chart, 'rbac', { installation });
  new WebhookConfigurations(chart, 'webhooks', { installation });
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'outside-system' } };
  return { installation, manifests: [namespace, ...(Testing.synth(chart) as KubernetesObject[])] };
}

/** The process completes, refuses and converts objects, under the rights of its ServiceAccount alone. */
export async function playOutside(cluster: InProcessCluster | KubeApiServerCluster, { installation }: OutsideOperator): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-outside-'));
  const path = join(folder, 'kubeconfig');
  writeFileSync(path, await cluster.kubeconfig({ serviceAccount: 'outside-system/outside' }), { mode: 0o600 });
  const connection = kubeconfigConnection(await readKubeconfig([path]));
  const running = await start(operator, {
    connection,
    environment: environmentOf(installation),
    log: new MemoryLog(),
    webhookLingerMs: 0,
    processMetrics: false,
  });
  try {
    // The authority is in the configurations when the process is ready; the API server learns of it by a watch.
    await cluster.until(async () => {
      await cluster.create(Shop({ metadata: { name: 'probe' }, spec: {} }), { dryRun: true });
    });
    const created = await cluster.create(Shop({ metadata: { name: 'a' }, spec: {} }));
    expect(created.spec).toEqual({ size: 3, label: 'from outside' });
    await expect(cluster.create(Shop({ metadata: { name: 'b' }, spec: { size: 6 } }))).rejects.toThrow('too large for a test');
    expect((await cluster.get(Shop.versions.v1beta1, 'a')).spec).toEqual({ replicas: 3 });
  } finally {
    await running.stop();
    rmSync(folder, { recursive: true });
  }
}
