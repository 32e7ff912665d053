import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  isApplyConflict,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  jsonPatch,
  mergePatch,
  strategicPatch,
  TestCluster,
  type TestClusterOptions,
} from '@keelson/testing';
import { ConfigMap, operator, Secret, Widget } from './widget.js';

/** A suite as a user writes it, of nothing but what all three servers have. It must pass on each of them. */
export function suiteOn(options: () => TestClusterOptions): void {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await TestCluster.start({ ...options(), operator, manifests: [MANIFEST] });
  });
  afterAll(() => cluster?.close());

  test('what was installed is there', async () => {
    expect((await cluster.get(ConfigMap, 'given')).data).toEqual({ x: '1' });
  });

  test('objects are created, read, listed, replaced and deleted', async () => {
    const created = await cluster.create(Widget({ metadata: { name: 'verbs', labels: { suite: 'verbs' } }, spec: {} }));
    expect(created.spec).toEqual({ size: 3 });
    expect(created.metadata.namespace).toBe(cluster.namespace);
    const replaced = await cluster.update({ ...created, spec: { size: 4 } });
    expect(replaced.metadata.generation).toBe(2);
    expect(isConflict(await refusal(cluster.update({ ...created, spec: { size: 5 } })))).toBe(true);
    expect((await cluster.get(Widget, `${cluster.namespace}/verbs`)).spec.size).toBe(4);
    const listed = await cluster.list(Widget, { namespace: cluster.namespace, labels: { suite: 'verbs' } });
    expect(listed.map(({ metadata }) => metadata.name)).toEqual(['verbs']);
    await cluster.delete(Widget, 'verbs');
    expect(await cluster.find(Widget, 'verbs')).toBeUndefined();
    expect(isNotFound(await refusal(cluster.get(Widget, 'verbs')))).toBe(true);
  });

  test('patches of each kind, and the status', async () => {
    await cluster.create(ConfigMap({ metadata: { name: 'patched' }, data: { a: '1', b: '2' } }));
    await cluster.patch(ConfigMap, 'patched', mergePatch({ data: { a: null, c: '3' } }));
    await cluster.patch(ConfigMap, 'patched', jsonPatch([{ op: 'replace', path: '/data/b', value: '4' }]));
    const { data } = await cluster.patch(ConfigMap, 'patched', strategicPatch({ data: { d: '5' } }));
    expect(data).toEqual({ b: '4', c: '3', d: '5' });
    await cluster.create(Widget({ metadata: { name: 'patched' }, spec: {} }));
    const { spec, status } = await cluster.patchStatus(Widget, 'patched', { replicas: 2 });
    expect([spec.size, status?.replicas]).toEqual([3, 2]);
  });

  test('managers that apply have their own fields, and conflict over others', async () => {
    const map = (x: string) => ConfigMap({ metadata: { name: 'applied' }, data: { x } });
    await cluster.apply(ConfigMap({ metadata: { name: 'applied' }, data: { x: '1', own: '1' } }), { fieldManager: 'one' });
    expect(isApplyConflict(await refusal(cluster.apply(map('2'), { fieldManager: 'two' })))).toBe(true);
    const forced = await cluster.apply(map('2'), { fieldManager: 'two', force: true });
    expect(forced.data).toEqual({ x: '2', own: '1' });
    expect(forced.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['one', 'two']);
    expect((await cluster.apply(map('3'), { fieldManager: 'two', dryRun: true })).data?.['x']).toBe('3');
    expect((await cluster.get(ConfigMap, 'applied')).data?.['x']).toBe('2');
  });

  test('the schema and its rules refuse in the words of the server', async () => {
    const small = cluster.create(Widget({ metadata: { name: 'small' }, spec: { size: 1, colour: 'red' } }));
    await expect(small).rejects.toThrow('red ones are larger than 1');
    const error = await refusal(cluster.create(Widget, { metadata: { name: 'large' }, spec: { size: 10 } }));
    expect(isInvalid(error) && error.status.details?.causes?.[0]).toMatchObject({ field: 'spec.size' });
    expect(String(error)).toContain('spec.size in body should be less than or equal to 9');
  });

  test('a watch tells what happens, in order', async () => {
    const { metadata } = await cluster.create(ConfigMap({ metadata: { name: 'watched' } }));
    const events = await cluster.watch(ConfigMap, {
      namespace: cluster.namespace,
      fieldSelector: { 'metadata.name': 'watched' },
      resourceVersion: metadata.resourceVersion,
    });
    await cluster.patch(ConfigMap, 'watched', mergePatch({ data: { x: '1' } }));
    await cluster.delete(ConfigMap, 'watched');
    const seen: string[] = [];
    for await (const event of events) {
      if (event.type !== 'BOOKMARK') seen.push(`${event.type} ${event.object.data?.['x']}`);
      if (event.type === 'DELETED') break;
    }
    expect(seen).toEqual(['MODIFIED 1', 'DELETED 1']);
  });

  test('until follows an object, and tells what it saw last', async () => {
    const present = cluster.until(Widget, 'awaited', 'present');
    await cluster.create(Widget({ metadata: { name: 'awaited' }, spec: { size: 2 } }));
    expect((await present).spec.size).toBe(2);
    const ready = cluster.until(Widget, 'awaited', { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
    const counted = cluster.until(Widget, 'awaited', ({ status }) => status?.replicas === 2);
    const asserted = cluster.until(Widget, 'awaited', ({ status }) => expect(status?.replicas).toBe(2));
    const condition = { type: 'Ready', status: 'True', reason: 'Fine', message: '', lastTransitionTime: '2030-01-01T00:00:00Z' } as const;
    await cluster.patchStatus(Widget, 'awaited', { replicas: 2, conditions: [condition] });
    expect((await Promise.all([ready, counted, asserted])).map(({ status }) => status?.replicas)).toEqual([2, 2, 2]);
    const never = await refusal(cluster.until(Widget, 'awaited', { spec: { size: 5 } }, { timeout: '200ms' }));
    expect(String(never)).toMatch(/Widget .*awaited did not come to the awaited state within 200 ms: it differs:\n.*spec\.size/);
    expect(String(never)).toContain('size: 2');
    const gone = cluster.until(Widget, 'awaited', 'absent');
    await cluster.delete(Widget, 'awaited');
    expect(await gone).toBeUndefined();
  });

  test('the operator has the rights that it declares, and no others', async () => {
    const asOperator = cluster.as(cluster.operator);
    await expect(asOperator.list(Widget, { namespace: cluster.namespace })).resolves.toBeDefined();
    await asOperator.apply(ConfigMap({ metadata: { name: 'of-operator' } }), { fieldManager: 'widget-operator' });
    const error = await refusal(asOperator.list(Secret));
    expect(isForbidden(error)).toBe(true);
    expect(String(error)).toContain(
      'User "system:serviceaccount:widget-operator-system:widget-operator" cannot list resource "secrets" in API group "" at the cluster scope',
    );
    const stranger = cluster.as({ user: 'stranger', groups: ['strangers'] });
    await expect(stranger.get(ConfigMap, 'given')).rejects.toThrow('User "stranger" cannot get resource "configmaps"');
  });

  test('a kubeconfig lets other clients in, in the name of whom it is for', async () => {
    await expect(asked(await cluster.kubeconfig(), (other) => other.get(ConfigMap, `${cluster.namespace}/given`))).resolves.toBeDefined();
    await expect(asked(await cluster.kubeconfig(cluster.operator), (other) => other.list(Secret))).rejects.toThrow(
      'User "system:serviceaccount:widget-operator-system:widget-operator" cannot list resource "secrets"',
    );
  });

  test('a snapshot is the same text on each server', async () => {
    const owner = await cluster.create(Widget({ metadata: { name: 'shown' }, spec: { colour: 'blue' } }));
    const { apiVersion, kind, metadata } = owner;
    await cluster.create(ConfigMap, {
      metadata: {
        generateName: 'shown-',
        labels: { suite: 'snapshot' },
        ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true }],
      },
      data: { at: '2030-01-01T00:00:00Z', secret: 'drawn' },
    });
    const text = await cluster.snapshot({ resources: [Widget, ConfigMap], namespaces: [cluster.namespace], mask: ['data.secret'] });
    const shown = text.split('---\n').filter((document) => document.includes('name: shown'));
    expect(shown.join('---\n').replaceAll(cluster.namespace, 'the-namespace')).toBe(SNAPSHOT);
  });
}

const MANIFEST = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: given\ndata:\n  x: "1"\n';

const SNAPSHOT = `apiVersion: suite.example.com/v1
kind: Widget
metadata:
  generation: 1
  name: shown
  namespace: the-namespace
spec:
  colour: blue
  size: 3
---
apiVersion: v1
kind: ConfigMap
metadata:
  generateName: shown-
  labels:
    suite: snapshot
  name: shown-<1>
  namespace: the-namespace
  ownerReferences:
    - apiVersion: suite.example.com/v1
      controller: true
      kind: Widget
      name: shown
      uid: <uid>
data:
  at: <time>
  secret: <masked>
`;

async function refusal(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it was not refused');
}

/** Asks through a cluster that knows no more than a kubeconfig. */
async function asked<T>(kubeconfig: string, ask: (cluster: TestCluster) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'keelson-suite-'));
  const file = join(directory, 'kubeconfig');
  writeFileSync(file, kubeconfig, { mode: 0o600 });
  try {
    // Nothing is installed: who asks may not even see his namespace.
    const other = await TestCluster.start({ server: 'existing', kubeconfig: file });
    try {
      return await ask(other);
    } finally {
      await other.close();
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}
