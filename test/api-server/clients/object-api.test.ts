import type { KubernetesObject, KubernetesObjectApi } from '@kubernetes/client-node';
import { type ClientNodeBench, refusal, startBench } from './client-node.js';

let bench: ClientNodeBench;
let objects: KubernetesObjectApi;
beforeAll(async () => {
  bench = await startBench();
  objects = bench.k8s.KubernetesObjectApi.makeApiClient(bench.config);
});
afterAll(() => bench.cluster.close());

interface TestConfigMap extends KubernetesObject {
  data?: Record<string, string | null>;
}

interface TestDeployment extends KubernetesObject {
  spec: { replicas?: number; template: { spec: { containers: { name: string; image: string }[] } } };
}

const headerOf = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } });
const configMap = (name: string, data: Record<string, string>): TestConfigMap => ({ ...headerOf(name), data });

const deployment = (name: string): TestDeployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'default' },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
  } as TestDeployment['spec'],
});

test('an object is created, read, replaced, listed and deleted', async () => {
  const created = await objects.create(configMap('one', { a: '1' }));
  expect(created).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one', uid: expect.any(String) } });
  expect(await objects.read({ ...headerOf('one') })).toEqual(created);
  const replaced = await objects.replace({ ...created, data: { a: '2' } } as TestConfigMap);
  expect(replaced.data).toEqual({ a: '2' });
  expect(replaced.metadata?.resourceVersion).not.toBe(created.metadata?.resourceVersion);
  const list = await objects.list('v1', 'ConfigMap', 'default', undefined, undefined, undefined, 'metadata.name=one');
  expect(list.items).toMatchObject([{ metadata: { uid: created.metadata?.uid ?? '' }, data: { a: '2' } }]);
  expect(await objects.delete(headerOf('one'))).toMatchObject({ status: 'Success' });
  expect((await refusal(objects.read(headerOf('one')))).status).toMatchObject({
    reason: 'NotFound',
    message: 'configmaps "one" not found',
  });
});

test('what exists already, and what was changed meanwhile, is a conflict', async () => {
  const created = await objects.create(configMap('two', {}));
  expect(await refusal(objects.create(configMap('two', {})))).toMatchObject({ code: 409, status: { reason: 'AlreadyExists' } });
  await objects.replace({ ...created, data: { a: '1' } } as TestConfigMap);
  expect(await refusal(objects.replace({ ...created, data: { a: '2' } } as TestConfigMap))).toMatchObject({
    code: 409,
    status: { reason: 'Conflict' },
  });
});

test('an object is patched by a strategic merge, which is the default, by a merge, and by an apply', async () => {
  const { PatchStrategy } = bench.k8s;
  await objects.create(deployment('web'));
  const side = { ...deployment('web'), spec: { template: { spec: { containers: [{ name: 'side', image: 'busybox' }] } } } };
  const strategic = (await objects.patch(side)) as TestDeployment;
  expect(strategic.spec.template.spec.containers.map(({ name }) => name)).toEqual(['side', 'main']);
  const merged = (await objects.patch(side, undefined, undefined, undefined, undefined, PatchStrategy.MergePatch)) as TestDeployment;
  expect(merged.spec.template.spec.containers.map(({ name }) => name)).toEqual(['side']);
  const apply = (object: KubernetesObject, manager: string, force?: boolean) =>
    objects.patch(object, undefined, undefined, manager, force, PatchStrategy.ServerSideApply);
  await apply(configMap('applied', { a: '1' }), 'first');
  const conflict = await refusal(apply(configMap('applied', { a: '2' }), 'second'));
  expect(conflict.status).toMatchObject({
    message: 'Apply failed with 1 conflict: conflict with "first": .data.a',
    details: { causes: [{ reason: 'FieldManagerConflict', field: '.data.a' }] },
  });
  const forced = await apply(configMap('applied', { a: '2' }), 'second', true);
  expect((forced as TestConfigMap).data).toEqual({ a: '2' });
  expect(forced.metadata?.managedFields?.map(({ manager, operation }) => [manager, operation])).toEqual([['second', 'Apply']]);
});

test('a JSON patch that is not a list is refused', async () => {
  await objects.create(configMap('listed', {}));
  const { JsonPatch } = bench.k8s.PatchStrategy;
  const { code } = await refusal(objects.patch(configMap('listed', {}), undefined, undefined, undefined, undefined, JsonPatch));
  expect(code).toBe(400);
});

test('a dry run changes nothing', async () => {
  const created = await objects.create(configMap('dry', {}), undefined, 'All');
  expect(created.metadata?.uid).toBeDefined();
  expect((await refusal(objects.read(headerOf('dry')))).code).toBe(404);
});

test('custom resources are found by discovery, as soon as they are defined', async () => {
  // The client's own name of `default`, which is a word of the language.
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boxes.clients.example.com' },
    spec: {
      group: 'clients.example.com',
      scope: 'Namespaced',
      names: { plural: 'boxes', singular: 'box', kind: 'Box', listKind: 'BoxList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { size: { type: 'integer', _default: 1 } } } },
            },
          },
        },
      ],
    },
  };
  const box = { apiVersion: 'clients.example.com/v1', kind: 'Box', metadata: { name: 'one', namespace: 'default' } };
  await expect(objects.create({ ...box })).rejects.toThrow();
  await objects.create(definition);
  await bench.cluster.settled();
  // What a client knows of an API version it keeps.
  const later = bench.k8s.KubernetesObjectApi.makeApiClient(bench.config);
  expect(await later.create({ ...box, spec: {} } as KubernetesObject)).toMatchObject({ spec: { size: 1 } });
  expect(
    await later.patch(
      { ...box, spec: { size: 2 } } as KubernetesObject,
      undefined,
      undefined,
      undefined,
      undefined,
      bench.k8s.PatchStrategy.MergePatch,
    ),
  ).toMatchObject({
    spec: { size: 2 },
    metadata: { generation: 2 },
  });
  expect((await later.list('clients.example.com/v1', 'Box')).items).toMatchObject([{ metadata: { name: 'one' } }]);
  const bad = await refusal(later.create({ ...box, metadata: { name: 'bad' }, spec: { size: 'x' } } as KubernetesObject));
  expect(bad.status['message']).toBe(
    'Box.clients.example.com "bad" is invalid: spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
  );
  await later.delete(box);
  expect((await refusal(later.read(box))).code).toBe(404);
});
