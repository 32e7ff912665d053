import { type OwnPolicy, own } from 'keelson';
import { ConfigMap, Namespace, Secret } from 'keelson/kinds';
import type { KindInfo } from '../../../src/kubernetes/apimachinery/index.js';
import type { StoredObject } from '../../../src/runtime/cache/index.js';
import { APPLIED_ANNOTATION, ChildInvalidError, ChildrenWriter, ChildTakenError } from '../../../src/runtime/children/index.js';
import { ConflictError, InternalError, InvalidError, NotFoundError } from '../../../src/runtime/client/index.js';
import { MemoryLog } from '../harness/running-controller.js';
import { Widget } from '../reconcile/widget.js';
import { FakeInformer } from './fake-informer.js';
import { type Applied, config, liveConfig, MINE, OWNER, reference, refusal, Scene } from './writer-scene.js';

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

  test('each kind goes by the propagation of its own handle', async () => {
    scene.policies = { configs: { propagation: 'Foreground' }, secrets: { propagation: 'Orphan' } };
    scene.secrets.put({ ...liveConfig('key', MINE), kind: 'Secret' });
    scene.begin();
    expect(await scene.reconcile([])).toMatchObject({ deleted: 2 });
    expect(scene.deleted).toEqual([
      { name: 'old', options: expect.objectContaining({ propagationPolicy: 'Foreground' }) },
      { name: 'key', options: expect.objectContaining({ propagationPolicy: 'Orphan' }) },
    ]);
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

test.each(['data', 'stringData'])(
  'a value in the %s of a Secret that is not a text is refused, and is not in the message',
  async (field) => {
    const secret = Secret({ metadata: { name: 's' }, [field]: { pin: 48_151_623 } } as never);
    const refused = scene.reconcile([secret]);
    await expect(refused).rejects.toThrow(`Secret s: ${field}.pin is not a text (number); write a string`);
    await expect(refused).rejects.not.toThrow('48151623');
  },
);

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

describe('a child with a field that cannot be changed', () => {
  const immutable = (message = 'field is immutable', causes: object[] = []) =>
    new InvalidError({
      request: 'a request',
      status: { status: 'Failure', code: 422, reason: 'Invalid', message, details: { causes } } as never,
      httpStatus: 422,
    });
  const begin = (onImmutable: OwnPolicy['onImmutable']): void => {
    scene.policies = { configs: { onImmutable } };
    scene.begin();
    scene.configs.put(liveConfig('a', MINE));
  };
  const names = (): readonly string[] => scene.applied.map(({ manifest: { metadata } }) => metadata.name);

  test('is an error that says which field, and what to declare', async () => {
    begin('fail');
    scene.failing.set(
      'a',
      immutable('field is immutable', [{ field: 'data' }, { field: 'data' }, { reason: 'x' }, { field: 'immutable' }]),
    );
    await expect(scene.reconcile([config('a', { x: '1' })])).rejects.toThrow(
      "ConfigMap shop/a: data, immutable cannot be changed; own(ConfigMap, { onImmutable: 'recreate' }) deletes it and makes it anew, " +
        "onImmutable: 'keep' leaves it as it is; the API server says: ",
    );
    expect([names(), scene.deleted]).toEqual([['a'], []]);
  });

  test('is an error although the server names no field', async () => {
    begin('fail');
    scene.failing.set('a', immutable());
    await expect(scene.reconcile([config('a', { x: '1' })])).rejects.toThrow('ConfigMap shop/a: a field cannot be changed; ');
  });

  test('stays where the declaration says so, and is not asked for again until something else is desired', async () => {
    begin('keep');
    scene.failing.set('a', immutable());
    const desired = [config('a', { x: '1' })];
    expect(await scene.reconcile(desired)).toEqual({ applied: 0, deleted: 0, pruneWaits: false });
    expect(await scene.reconcile(desired)).toEqual({ applied: 0, deleted: 0, pruneWaits: false });
    expect([names(), scene.deleted]).toEqual([['a'], []]);
    expect(scene.log.texts).toEqual(['info child left as it is, an immutable field differs']);
    await scene.reconcile([config('a', { x: '2' })]);
    expect(names()).toEqual(['a', 'a']);
  });

  test('that is kept is applied again when it is another object, or after a restart', async () => {
    begin('keep');
    scene.failing.set('a', immutable());
    const desired = [config('a', { x: '1' })];
    await scene.reconcile(desired);
    scene.configs.put(liveConfig('a', { ...MINE, uid: 'another' }));
    await scene.reconcile(desired);
    expect(names()).toEqual(['a', 'a']);
    scene.begin();
    await scene.reconcile(desired);
    expect(names()).toEqual(['a', 'a', 'a']);
  });

  test('is deleted where the declaration says so, after the server would take it as a new one, and made anew', async () => {
    begin('recreate');
    scene.failing.set('a', immutable());
    expect(await scene.reconcile([config('a', { x: '1' })])).toEqual({
      applied: 0,
      deleted: 0,
      pruneWaits: false,
      waitsFor: 'ConfigMap shop/a',
    });
    expect(names()).toEqual(['a', 'a-keelson-check']);
    expect(scene.applied[1]).toMatchObject({ options: { dryRun: true, force: true }, manifest: { data: { x: '1' } } });
    expect(scene.applied[1]?.manifest.metadata.uid).toBeUndefined();
    expect(scene.deleted).toMatchObject([{ name: 'a', options: { uid: 'uid-of-a' } }]);
    expect(scene.log.texts).toEqual(['info child deleted to be made anew, an immutable field differs']);
    scene.failing.clear();
    expect(await scene.reconcile([config('a', { x: '1' })])).toMatchObject({ applied: 1 });
    expect(scene.applied.at(-1)?.manifest.metadata.uid).toBeUndefined();
  });

  test('is not deleted when the server would refuse the new one too', async () => {
    begin('recreate');
    scene.failing.set('a', immutable());
    scene.failing.set('a-keelson-check', immutable('spec.size: must not be negative'));
    await expect(scene.reconcile([config('a', { x: '1' })])).rejects.toThrow('field is immutable');
    expect(scene.deleted).toEqual([]);
  });

  test('is deleted although another refusal hides what the server thinks of the new one', async () => {
    begin('recreate');
    scene.failing.set('a', immutable());
    scene.failing.set('a-keelson-check', new InternalError(refusal(500, 'InternalError')));
    await scene.reconcile([config('a', { x: '1' })]);
    expect(scene.deleted).toHaveLength(1);
  });

  test('is told by the words of a rule of the author’s own only if the server takes the new one', async () => {
    begin('fail');
    scene.failing.set('a', immutable('the size is for ever'));
    await expect(scene.reconcile([config('a', { x: '1' })])).rejects.toThrow('a field cannot be changed');
    scene.failing.set('a-keelson-check', immutable('the size is for ever'));
    await expect(scene.reconcile([config('a', { x: '1' })])).rejects.toThrow(InvalidError);
    scene.failing.set('a-keelson-check', new InternalError(refusal(500, 'InternalError')));
    await expect(scene.reconcile([config('a', { x: '1' })])).rejects.toThrow(InvalidError);
  });

  test('is told by the words of a cause, too', async () => {
    begin('fail');
    scene.failing.set('a', immutable('it is invalid', [{ field: 'spec', message: 'updates to spec are forbidden' }]));
    await expect(scene.reconcile([config('a', { x: '1' })])).rejects.toThrow('spec cannot be changed');
    expect(names()).toEqual(['a']);
  });

  test('has nothing to do with a child that is refused as it is made, nor with refusals of another sort', async () => {
    begin('recreate');
    scene.failing.set('new', immutable());
    await expect(scene.reconcile([config('new')])).rejects.toThrow(InvalidError);
    scene.failing.set('a', new ConflictError(refusal(409, 'Conflict', 'field is immutable')));
    await expect(scene.reconcile([config('a', { x: '1' })])).rejects.toThrow(ConflictError);
    expect([names(), scene.deleted]).toEqual([['new', 'a'], []]);
  });
});

describe('what was there before', () => {
  const unowned = (name: string, more: object = {}) => liveConfig(name, more);

  test('is adopted without events where nobody records them', async () => {
    scene.policies = { configs: { adopt: 'unowned' } };
    scene.begin();
    scene.configs.put(unowned('a'));
    expect(await scene.reconcile([config('a', { x: '1' })])).toMatchObject({ applied: 1 });
    expect(scene.log.texts).toEqual(['info child adopted, it was there and had no controller']);
  });

  test('is adopted with an event about each of the two', async () => {
    const told: string[] = [];
    scene.policies = { configs: { adopt: 'unowned' } };
    scene.more = {
      eventsOf: ({ kind, metadata: { name } }) => ({
        normal: (reason, note, options) =>
          void told.push(`${kind} ${name}: ${reason}, ${note} (${options?.action}, ${options?.related?.kind})`),
        warning: () => undefined,
      }),
    };
    scene.begin();
    scene.configs.put(unowned('a'));
    await scene.reconcile([config('a', { x: '1' })]);
    expect(told).toEqual([
      'Widget w: Adopted, ConfigMap shop/a was there and had no controller (Adopt, ConfigMap)',
      'ConfigMap a: Adopted, Widget w has taken it over (Adopt, Widget)',
    ]);
    scene.begin();
    await scene.reconcile([config('a', { x: '2' })]);
    expect(told).toHaveLength(2);
  });

  test('is let go of, not deleted, when it is desired no longer', async () => {
    scene.policies = { configs: { adopt: 'unowned', keepsAdopted: true } };
    scene.begin();
    scene.configs.put(unowned('a'));
    await scene.reconcile([config('a', { x: '1' })]);
    expect(await scene.reconcile([])).toEqual({ applied: 0, deleted: 1, pruneWaits: false });
    expect(scene.deleted).toEqual([]);
    expect(scene.patched).toMatchObject([
      { name: 'a', patch: { metadata: { uid: 'uid-of-a', annotations: { [APPLIED_ANNOTATION]: null } } } },
    ]);
    expect(scene.log.texts.at(-1)).toBe('info adopted child let go of, it is desired no longer');
  });

  test('is let go of without a word when it has gone, or is another one; other refusals are errors', async () => {
    scene.policies = { configs: { adopt: 'unowned', keepsAdopted: true } };
    scene.begin();
    for (const name of ['a', 'b', 'c']) scene.configs.put(unowned(name));
    await scene.reconcile(['a', 'b', 'c'].map((name) => config(name, { x: '1' })));
    scene.failing.set('a', new NotFoundError(refusal(404, 'NotFound')));
    scene.failing.set('b', new ConflictError(refusal(409, 'Conflict')));
    const c = config('c', { x: '1' });
    expect(await scene.reconcile([c])).toEqual({ applied: 0, deleted: 0, pruneWaits: false });
    scene.failing.set('a', new InternalError(refusal(500, 'InternalError')));
    await expect(scene.reconcile([c])).rejects.toThrow('InternalError');
  });

  test('is taken over from a former field manager before the first apply, and not again', async () => {
    const taken: string[] = [];
    scene.more = {
      formerManagers: {
        has: (manager: string) => manager === 'old/widget',
        takeObject: async (kind: KindInfo, { metadata }: StoredObject) => void taken.push(`${kind.kind} ${metadata.name}`),
      } as never,
    };
    scene.begin();
    const former = { ownerReferences: [reference('owner')], annotations: { [APPLIED_ANNOTATION]: 'old/widget:of-before' } };
    scene.configs.put(liveConfig('a', former));
    scene.configs.put(liveConfig('gone', former));
    scene.configs.put(liveConfig('others', { ...former, annotations: { [APPLIED_ANNOTATION]: 'another/widget:of-before' } }));
    await scene.reconcile([config('a', { x: '1' }), config('new')]);
    expect(taken).toEqual(['ConfigMap a']);
    // Those of the former one are one's own to delete, those of others are not.
    expect(scene.deleted.map(({ name }) => name)).toEqual(['gone']);
    await scene.reconcile([config('a', { x: '2' }), config('new')]);
    expect(taken).toEqual(['ConfigMap a']);
  });
});

test('a child that finalizers hold when it is deleted is still there for the cache', async () => {
  scene.configs.put(liveConfig('a', MINE));
  scene.answer = liveConfig('a', { ...MINE, deletionTimestamp: '2030-01-01T00:00:00Z', resourceVersion: '6' });
  expect(await scene.reconcile([])).toMatchObject({ deleted: 1 });
  expect(scene.configs.get({ namespace: 'shop', name: 'a' })?.metadata.deletionTimestamp).toBe('2030-01-01T00:00:00Z');
  expect(await scene.reconcile([])).toMatchObject({ deleted: 0 });
  expect(scene.deleted).toHaveLength(1);
});
