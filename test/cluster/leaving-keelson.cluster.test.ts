import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { KubeApiServerCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, k, own } from 'keelson';
import { ConfigMap, CustomResourceDefinition, Deployment, Job } from 'keelson/kinds';
import { z } from 'zod';
import { APPLIED_ANNOTATION } from '../../src/runtime/children/marks.js';
import { DEADLINE_MS } from '../deadline.cjs';
import { describeCluster } from './harness/index.js';
import { startOnPool } from './harness/pool-test-cluster.js';

const PAGE = readFileSync('docs/leaving-keelson.md', 'utf8');

const Memcached = defineCustomResource({
  group: 'cache.example.com',
  kind: 'Memcached',
  versions: { v1alpha1: { spec: z.object({ size: k.int32().default(1) }), status: z.object({ conditions: k.conditions() }) } },
});

/** Leaves every kind of mark: a child that follows, one that stays, one that is made once, and a finalizer. */
const controller = defineController({
  name: 'memcached',
  for: Memcached,
  owns: { deployments: Deployment, settings: own(ConfigMap, { onDelete: 'orphan' }), jobs: own(Job, { existence: 'once' }) },
  reconcile({ object: { metadata, spec }, done }) {
    const { name } = metadata;
    const labels = { app: name };
    const containers = [{ name: 'memcached', image: 'memcached:1.6' }];
    const template = { metadata: { labels: { ...labels, version: 'old' } }, spec: { containers } };
    return done({
      owned: {
        deployments: [Deployment({ metadata: { name }, spec: { replicas: spec.size, selector: { matchLabels: labels }, template } })],
        settings: [ConfigMap({ metadata: { name }, data: { size: String(spec.size) } })],
        jobs: [Job({ metadata: { name }, spec: { template: { spec: { restartPolicy: 'Never', containers } } } })],
      },
    });
  },
  finalize: () => undefined,
});
const operator = defineOperator({ name: 'memcached-operator', controllers: [controller] });

describeCluster('an operator goes on without keelson, as docs/leaving-keelson.md says', (shared) => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-leaving-'));
  const kubeconfig = join(folder, 'kubeconfig');
  let cluster: KubeApiServerCluster;
  let successor: ChildProcess | undefined;

  beforeAll(async () => {
    cluster = await startOnPool({ operator, namespace: 'shop', timeout: DEADLINE_MS });
    writeFileSync(kubeconfig, await cluster.kubeconfig(), { mode: 0o600 });
    const running = await cluster.startOperator();
    await cluster.create(Memcached({ metadata: { name: 'cache' }, spec: { size: 2 } }));
    await cluster.until(Memcached, 'cache', { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
    await running.stop();
  });
  afterAll(async () => {
    if (successor !== undefined && successor.exitCode === null) {
      successor.kill();
      await once(successor, 'exit');
    }
    await cluster?.close();
    rmSync(folder, { recursive: true });
  });

  const annotationsOf = async (): Promise<string[]> => {
    const definition = await cluster.list(CustomResourceDefinition);
    const objects = [
      await cluster.list(Memcached),
      await cluster.list(Deployment),
      await cluster.list(ConfigMap),
      await cluster.list(Job),
      definition,
    ];
    const all = objects.flat() as readonly { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } }[];
    return all.flatMap(({ metadata }) => Object.keys(metadata.annotations ?? {})).filter((name) => name.includes('keelson.dev/'));
  };

  test('its program adopts the children, writes under the same field manager, and repairs them', async () => {
    const environment = { ...process.env, KUBECONFIG: kubeconfig };
    successor = spawn(process.execPath, ['--import', 'tsx', 'test/cluster/leaving-keelson/main.ts'], {
      env: environment,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const before = await cluster.get(Deployment, 'cache');
    await cluster.until(Deployment, 'cache', ({ metadata, spec }) => {
      // Fields of keelson that the successor does not write are gone, the mark included.
      expect(metadata.annotations ?? {}).not.toHaveProperty([APPLIED_ANNOTATION]);
      expect(spec.template.metadata?.labels).toEqual({ app: 'cache' });
      expect(metadata.ownerReferences).toEqual(before.metadata.ownerReferences);
      expect(metadata.managedFields?.map(({ manager }) => manager)).toEqual(['memcached-operator/memcached']);
    });
    await cluster.delete(Deployment, 'cache');
    await cluster.until(Deployment, 'cache', ({ metadata }) => expect(metadata.uid).not.toBe(before.metadata.uid));
  });

  test('its commands take every mark off, and the object can be deleted', async () => {
    expect((await cluster.get(Memcached, 'cache')).metadata.finalizers).toEqual(['cache.example.com/memcached']);
    expect(new Set(await annotationsOf())).toEqual(new Set(['keelson.dev/owner', 'keelson.dev/applied', 'made.keelson.dev/memcached']));
    const [, commands = ''] = /```sh\n([^`]*keelson\.dev\/applied-[^`]*)```/.exec(PAGE) ?? [];
    const path = `${dirname(shared.connection.kubectl)}${delimiter}${process.env['PATH']}`;
    execFileSync('bash', ['-e', '-o', 'pipefail', '-c', commands], {
      env: { ...process.env, PATH: path, KUBECONFIG: kubeconfig },
      timeout: DEADLINE_MS,
    });
    expect(await annotationsOf()).toEqual([]);
    await cluster.delete(Memcached, 'cache');
    await cluster.until(Memcached, 'cache', 'absent');
  });
});
