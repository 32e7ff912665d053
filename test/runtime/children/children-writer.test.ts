import { type OwnPolicy, own } from 'keelson';
import { ConfigMap, Deployment, Namespace, Secret } from 'keelson/kinds';
import type { KindInfo, OwnerReference } from '../../../src/kubernetes/index.js';
import type { StoredObject } from '../../../src/runtime/cache/index.js';
import {
  APPLIED_ANNOTATION,
  ChildInvalidError,
  ChildrenWriter,
  ChildTakenError,
  type OwnedHandle,
} from '../../../src/runtime/children/index.js';
import { ConflictError, NotFoundError } from '../../../src/runtime/client/index.js';
import { MemoryLog } from '../harness/running-controller.js';
import { Widget } from '../reconcile/widget.js';
import { FakeInformer } from './fake-informer.js';

interface Applied {
  readonly manifest: StoredObject;
  readonly options: Readonly<Record<string, unknown>>;
}

const refusal = (code: number, reason: string, message = reason) => ({
  request: 'a request',
  status: { status: 'Failure', code, reason, message } as never,
  headers: {},
});

/** A server of one line: what is applied is there, with a new version if it differs. */
class Scene {
  readonly configs = new FakeInformer(ConfigMap);
  readonly secrets = new FakeInformer(Secret);
  readonly deployments = new FakeInformer(Deployment);
  readonly applied: Applied[] = [];
  readonly deleted: { readonly name: string; readonly options: Readonly<Record<string, unknown>> }[] = [];
  readonly failing = new Map<string, Error>();
  readonly created: string[] = [];
  readonly patched: { readonly name: string; readonly patch: unknown }[] = [];
  policies: Readonly<Record<string, Partial<OwnPolicy>>> = {};
  #version = 100;
  #uids = 0;
  writer = this.begin();

  /** A process that remembers nothing. */
  begin(): ChildrenWriter {
    this.writer = new ChildrenWriter({
      client: {
        apply: async (kind: KindInfo, manifest: StoredObject, options: object) => this.#apply(kind, manifest, options),
        delete: async (_: KindInfo, { name }: { name: string }, options: object) => this.#delete(name, options),
      } as never,
      log: new MemoryLog(),
      fieldManager: 'test/widget',
      primary: new FakeInformer(Widget as KindInfo),
      handles: this.handles(),
    });
    return this.writer;
  }

  handles(): Record<string, OwnedHandle> {
    const { policy } = own(ConfigMap);
    return Object.fromEntries(
      Object.entries({ configs: this.configs, secrets: this.secrets, deployments: this.deployments }).map(([name, informer]) => [
        name,
        { informer, policy: { ...policy, ...this.policies[name] } },
      ]),
    );
  }

  /** All handles are named: what is not in the list is not desired. */
  reconcile(
    desired: readonly object[],
    owner = OWNER,
  ): Promise<{ readonly applied: number; readonly deleted: number; readonly pruneWaits: boolean }> {
    const isSecret = (object: object): boolean => (object as { kind?: string })?.kind === 'Secret';
    const children = { configs: desired.filter((object) => !isSecret(object)), secrets: desired.filter(isSecret), deployments: [] };
    return this.writer.reconcile({ owner, desired: children, signal: new AbortController().signal });
  }

  #apply(kind: KindInfo, manifest: StoredObject, options: object): StoredObject {
    this.applied.push({ manifest, options: options as Applied['options'] });
    const error = this.failing.get(manifest.metadata.name);
    if (error !== undefined) throw error;
    const informer = [this.configs, this.secrets, this.deployments].find((one) => one.kind.kind === kind.kind);
    const live = informer?.get(manifest.metadata as never);
    const uid = live?.metadata.uid ?? `uid-${++this.#uids}`;
    return { ...manifest, metadata: { ...manifest.metadata, uid, resourceVersion: String(++this.#version) } } as StoredObject;
  }

  #delete(name: string, options: object): undefined {
    this.deleted.push({ name, options: options as Applied['options'] });
    const error = this.failing.get(name);
    if (error !== undefined) throw error;
    return undefined;
  }
}

const OWNER = {
  kind: Widget as KindInfo,
  object: {
    apiVersion: 'test.example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'shop', uid: 'owner', resourceVersion: '1' },
  } as unknown as StoredObject,
};
const config = (name: string, data: Record<string, string> = {}) => ConfigMap({ metadata: { name }, data });
const reference = (uid: string, kind = 'Widget'): OwnerReference => ({
  apiVersion: 'test.example.com/v1',
  kind,
  name: 'w',
  uid,
  controller: true,
});
const liveConfig = (name: string, more: object = {}): StoredObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'shop', uid: `uid-of-${name}`, resourceVersion: '5', ...more },
    data: {},
  }) as unknown as StoredObject;

/** Applied by the controller before. */
const MINE = { ownerReferences: [reference('owner')], annotations: { [APPLIED_ANNOTATION]: 'test/widget:of-before' } };

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});

test('children are applied in the given order, with owner, manager and hash; a second run writes nothing, a restart neither', async () => {
  const desired = [config('b', { x: '1' }), config('a')];
  expect(await scene.reconcile(desired)).toEqual({ applied: 2, deleted: 0, pruneWaits: false });
  expect(scene.applied.map(({ manifest }) => manifest.metadata.name)).toEqual(['b', 'a']);
  expect(scene.applied[0]).toMatchObject({
    manifest: {
      metadata: {
        namespace: 'shop',
        ownerReferences: [{ ...reference('owner'), blockOwnerDeletion: true }],
        annotations: { [APPLIED_ANNOTATION]: expect.stringMatching(/^test\/widget:[\w-]{22}$/) },
      },
    },
    options: { fieldManager: 'test/widget', force: true },
  });
  // Created, not changed: there is no uid yet.
  expect(scene.applied[0]?.manifest.metadata.uid).toBeUndefined();
  expect(scene.configs.told).toHaveLength(2);
  expect(await scene.reconcile(desired)).toEqual({ applied: 0, deleted: 0, pruneWaits: false });
  scene.begin();
  expect(await scene.reconcile(desired)).toEqual({ applied: 0, deleted: 0, pruneWaits: false });
  expect(scene.applied).toHaveLength(2);
});

test('H46: a change names the uid of what it changes, so that it cannot create', async () => {
  await scene.reconcile([config('a', { x: '1' })]);
  await scene.reconcile([config('a', { x: '2' })]);
  expect(scene.applied[1]?.manifest.metadata.uid).toBe('uid-1');
  scene.failing.set('a', new ConflictError(refusal(409, 'Conflict') as never));
  await expect(scene.reconcile([config('a', { x: '3' })])).rejects.toThrow();
});

test('what somebody else changed is put right, what he added stays, and a status is nobody’s business', async () => {
  await scene.reconcile([config('a', { x: '1' })]);
  const live = scene.configs.get({ namespace: 'shop', name: 'a' }) as StoredObject;
  let version = 900;
  const changed = (more: object): StoredObject => ({
    ...live,
    ...more,
    metadata: { ...live.metadata, resourceVersion: String(++version) },
  });
  scene.configs.put(changed({ data: { x: '1', more: 'y' } }));
  expect(await scene.reconcile([config('a', { x: '1' })])).toMatchObject({ applied: 0 });
  scene.configs.put(changed({ status: { a: 'b' } }));
  expect(await scene.reconcile([config('a', { x: '1' })])).toMatchObject({ applied: 0 });
  scene.configs.put(changed({ data: { x: 'hacked' } }));
  expect(await scene.reconcile([config('a', { x: '1' })])).toMatchObject({ applied: 1 });
});

test('a field that is desired no longer is noticed, after a restart too', async () => {
  await scene.reconcile([config('a', { x: '1', y: '2' })]);
  scene.begin();
  expect(await scene.reconcile([config('a', { x: '1' })])).toMatchObject({ applied: 1 });
  expect(scene.applied[1]?.manifest['data']).toEqual({ x: '1' });
});

test('an object that nobody owns is refused, and one of another controller too; both stay as they are', async () => {
  scene.configs.put(liveConfig('a', { ownerReferences: [{ ...reference('x', 'Other'), controller: false }] }));
  await expect(scene.reconcile([config('a')])).rejects.toThrow(
    "ConfigMap shop/a is there already and was not made by Widget w; rename or delete it, or declare own(ConfigMap, { adopt: 'unowned' })",
  );
  expect(scene.applied).toEqual([]);
  scene.configs.remove({ namespace: 'shop', name: 'a' });
  await scene.reconcile([config('a')]);
  scene.configs.put(liveConfig('b', { ownerReferences: [reference('x', 'Other')] }));
  await expect(scene.reconcile([config('a'), config('b')])).rejects.toThrow(ChildTakenError);
  expect(scene.applied.map(({ manifest }) => manifest.metadata.name)).toEqual(['a']);
});

test('a child of a deleted object of the same name is waited for: nothing is wrong, and nothing is written', async () => {
  scene.configs.put(liveConfig('a', { ownerReferences: [{ ...reference('before'), apiVersion: 'test.example.com/v1beta1' }] }));
  await expect(scene.reconcile([config('a')])).rejects.toMatchObject({
    code: 'KEELSON_RETRY_LATER',
    afterMs: 5_000,
    message: expect.stringContaining('ConfigMap shop/a belongs to the Widget w that was deleted'),
  });
  scene.configs.put(liveConfig('a', { ownerReferences: [{ ...reference('before'), apiVersion: 'other.example.com/v1' }] }));
  await expect(scene.reconcile([config('a')])).rejects.toThrow(ChildTakenError);
  expect(scene.applied).toEqual([]);
});

test('a child that is being deleted is neither applied nor deleted again', async () => {
  const deletionTimestamp = '2030-01-01T00:00:00Z';
  scene.configs.put(liveConfig('a', { deletionTimestamp, ownerReferences: [reference('owner')] }));
  scene.configs.put(liveConfig('old', { deletionTimestamp, ...MINE }));
  expect(await scene.reconcile([config('a')])).toEqual({ applied: 0, deleted: 0, pruneWaits: false, waitsFor: 'ConfigMap shop/a' });
  expect([scene.applied, scene.deleted]).toEqual([[], []]);
});

describe('pruning', () => {
  beforeEach(() => {
    scene.configs.put(liveConfig('old', MINE));
    scene.configs.put(liveConfig('foreign', { ownerReferences: [reference('other')] }));
    scene.configs.put(liveConfig('shared', { ownerReferences: [{ ...reference('owner'), controller: false }] }));
  });

  test('H47: own children that are desired no longer go, and only the very objects that were looked at', async () => {
    expect(await scene.reconcile([config('a')])).toEqual({ applied: 1, deleted: 1, pruneWaits: false });
    expect(scene.deleted).toEqual([
      { name: 'old', options: expect.objectContaining({ uid: 'uid-of-old', propagationPolicy: 'Background' }) },
    ]);
    expect(scene.configs.gone).toEqual([{ key: { namespace: 'shop', name: 'old' }, uid: 'uid-of-old' }]);
  });

  test('H47: another object of the name by now, or none: nothing is wrong', async () => {
    scene.failing.set('old', new ConflictError(refusal(409, 'Conflict') as never));
    expect(await scene.reconcile([])).toEqual({ applied: 0, deleted: 0, pruneWaits: false });
    scene.failing.set('old', new NotFoundError(refusal(404, 'NotFound') as never));
    expect(await scene.reconcile([])).toEqual({ applied: 0, deleted: 0, pruneWaits: false });
    expect(scene.configs.gone).toEqual([]);
    scene.failing.set('old', new Error('broken'));
    await expect(scene.reconcile([])).rejects.toThrow('broken');
  });

  test('H17: nothing is pruned while one of the lists is not complete, of another kind too', async () => {
    scene.secrets.isComplete = false;
    expect(await scene.reconcile([config('a')])).toEqual({ applied: 1, deleted: 0, pruneWaits: true });
    expect(scene.deleted).toEqual([]);
    scene.secrets.isComplete = true;
    expect(await scene.reconcile([config('a')])).toEqual({ applied: 0, deleted: 1, pruneWaits: false });
  });

  test('H48: nothing is pruned when one of the set could not be applied; what was applied before stays', async () => {
    scene.failing.set('b', new Error('the quota is used up'));
    await expect(scene.reconcile([config('a'), config('b')])).rejects.toThrow('the quota is used up');
    expect(scene.deleted).toEqual([]);
    expect(scene.configs.get({ namespace: 'shop', name: 'a' })).toBeDefined();
    scene.failing.clear();
    expect(await scene.reconcile([config('a'), config('b')])).toEqual({ applied: 1, deleted: 1, pruneWaits: false });
  });
});

test('nothing is pruned where the run says so', async () => {
  scene.configs.put(liveConfig('old', MINE));
  const desired = { configs: [config('a')] };
  const { signal } = new AbortController();
  expect(await scene.writer.reconcile({ owner: OWNER, desired, signal, prunes: false })).toEqual({
    applied: 1,
    deleted: 0,
    pruneWaits: false,
  });
  expect(scene.deleted).toEqual([]);
  expect(await scene.writer.reconcile({ owner: OWNER, desired, signal })).toMatchObject({ applied: 0, deleted: 1 });
});

test('children of what is no handle of desired state are refused with those that are', async () => {
  scene.policies = { secrets: { desired: false } };
  scene.begin();
  const { signal } = new AbortController();
  const asked = (handle: string): Promise<unknown> => scene.writer.reconcile({ owner: OWNER, desired: { [handle]: [] }, signal });
  for (const handle of ['others', 'toString'])
    await expect(asked(handle)).rejects.toThrow(`owned.${handle}: is not a handle of owns; known are configs, deployments`);
  await expect(asked('secrets')).rejects.toThrow(
    'owned.secrets: is acted upon by its verbs, and no desired state; known are configs, deployments',
  );
  scene.policies = { secrets: { desired: false }, configs: { desired: false }, deployments: { desired: false } };
  scene.begin();
  await expect(asked('configs')).rejects.toThrow('known are none');
});

describe('what cannot be a child', () => {
  const clusterOwner = {
    kind: { ...Widget, scope: 'Cluster' } as KindInfo,
    object: { ...OWNER.object, metadata: { ...OWNER.object.metadata, namespace: undefined } } as unknown as StoredObject,
  };

  test.each<[string, unknown, string]>([
    ['no object', 'text', 'owned.configs[0]: is not an object with metadata'],
    ['no metadata', { kind: 'ConfigMap', apiVersion: 'v1' }, 'owned.configs[0]: is not an object with metadata'],
    ['another version', { kind: 'ConfigMap', apiVersion: 'v2', metadata: { name: 'a' } }, "is not of the handle's kind, ConfigMap v1"],
    ['no name', ConfigMap({ metadata: { generateName: 'a-' } as never }), 'has no metadata.name'],
    [
      'H48: another namespace',
      ConfigMap({ metadata: { name: 'a', namespace: 'other' } }),
      'ConfigMap other/a is in namespace other, its owner in shop',
    ],
  ])('%s is refused before anything is written', async (_, child, message) => {
    const refused = scene.reconcile([child as object, config('b')]);
    await expect(refused).rejects.toThrow(ChildInvalidError);
    await expect(refused).rejects.toThrow(message);
    expect(scene.applied).toEqual([]);
  });

  test('H48: a cluster-scoped child of a namespaced owner', async () => {
    const writer = new ChildrenWriter({
      client: {} as never,
      log: new MemoryLog(),
      fieldManager: 'x',
      primary: new FakeInformer(Widget as KindInfo),
      handles: { spaces: { informer: new FakeInformer(Namespace), policy: own(Namespace).policy } },
    });
    const desired = [Namespace({ metadata: { name: 'n' } })];
    await expect(writer.reconcile({ owner: OWNER, desired: { spaces: desired }, signal: new AbortController().signal })).rejects.toThrow(
      'Namespace n is cluster-scoped, its owner Widget is not',
    );
  });

  test('a cluster-scoped owner says where its children are', async () => {
    await expect(scene.reconcile([config('a')], clusterOwner)).rejects.toThrow(
      'ConfigMap a needs metadata.namespace: its owner Widget is cluster-scoped',
    );
    expect(await scene.reconcile([ConfigMap({ metadata: { name: 'a', namespace: 'any' } })], clusterOwner)).toMatchObject({ applied: 1 });
  });
});

test('stringData is data: it is compared with what is read back', async () => {
  const secret = Secret({ metadata: { name: 's' }, stringData: { key: 'grüße' }, data: { other: 'eA==' } });
  await scene.reconcile([secret]);
  expect(scene.applied[0]?.manifest).toMatchObject({ data: { key: 'Z3LDvMOfZQ==', other: 'eA==' } });
  expect(scene.applied[0]?.manifest).not.toHaveProperty('stringData');
  scene.begin();
  expect(await scene.reconcile([secret])).toMatchObject({ applied: 0 });
});

test('a live object that is changed and given back is applied without what the server wrote into it', async () => {
  scene.configs.put(liveConfig('a', { ...MINE, managedFields: [], generation: 3, creationTimestamp: '2030-01-01T00:00:00Z' }));
  const live = scene.configs.get({ namespace: 'shop', name: 'a' }) as StoredObject;
  await scene.reconcile([{ ...live, data: { x: '1' }, status: { phase: 'Old' } }]);
  const { manifest } = scene.applied[0] as Applied;
  expect(Object.keys(manifest)).not.toContain('status');
  expect(manifest.metadata).toEqual({
    name: 'a',
    namespace: 'shop',
    uid: 'uid-of-a',
    annotations: expect.anything(),
    ownerReferences: [expect.objectContaining({ uid: 'owner' })],
  });
});

test('what was remembered of the children goes with the owner', async () => {
  await scene.reconcile([config('a', { x: '1' })]);
  scene.writer.forget('owner');
  // Compared anew, and found as desired.
  expect(await scene.reconcile([config('a', { x: '1' })])).toEqual({ applied: 0, deleted: 0, pruneWaits: false });
});

test('H42: from each state that a crash can leave behind, the rest is done and nothing twice', async () => {
  const desired = [config('a'), config('b'), config('c')];
  scene.configs.put(liveConfig('old', MINE));
  for (const last of ['b', 'c', 'old']) {
    const crash = new Error('the process is gone');
    scene.failing.set(last, crash);
    await expect(scene.reconcile(desired)).rejects.toBe(crash);
    scene.failing.clear();
    scene.begin();
  }
  await scene.reconcile(desired);
  expect(scene.applied.map(({ manifest }) => manifest.metadata.name)).toEqual(['a', 'b', 'b', 'c', 'c']);
  expect(scene.configs.list().map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
});
