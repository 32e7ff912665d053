import { mergePatch } from '@keelson/testing';
import { defineController, defineOperator, type Operator, own, watch } from 'keelson';
import { ConfigMap, Job, PersistentVolumeClaim, Pod, Secret } from 'keelson/kinds';
import type { ControllerModel } from '../../../src/keelson/definition/index.js';
import { APPLIED_ANNOTATION } from '../../../src/runtime/children/index.js';
import { RunningController } from '../harness/running-controller.js';
import { Widget } from './widget.js';

const widget = (name: string, size = 1) => Widget({ metadata: { name }, spec: { size } });
const config = (name: string, data: Record<string, string> = {}) => ConfigMap({ metadata: { name }, data });
const job = (name: string, image = 'a') =>
  Job({ metadata: { name }, spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image }] } } } });
const claim = (name: string) =>
  PersistentVolumeClaim({
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });

let running: RunningController;
afterEach(() => running?.close());

const begin = async (operator: Operator): Promise<RunningController> => {
  running = await RunningController.start(operator);
  return running;
};
const operatorOf = (...controllers: readonly unknown[]): Operator =>
  defineOperator({ name: 'widget-operator', controllers: controllers as never });
const errors = (): unknown[] => running.log.lines.filter(({ level }) => level === 'error').map(({ fields }) => String(fields?.['error']));

describe('objects that are there already', () => {
  const owning = (options: Parameters<typeof own>[1], wanted: () => boolean = () => true) =>
    defineController({
      name: 'widget',
      for: Widget,
      owns: { configs: own(ConfigMap, options as { readonly adopt?: 'unowned' }) },
      reconcile: ({ object, done }) => done({ owned: { configs: wanted() ? [config(object.metadata.name, { by: 'us' })] : [] } }),
    });

  test('an object of nobody is refused by name, is not changed, and outlives the owner', async () => {
    const { cluster } = await begin(operatorOf(owning({})));
    await cluster.create(ConfigMap({ metadata: { name: 'a', namespace: 'shop' }, data: { by: 'somebody' } }));
    await cluster.create(widget('a'));
    await cluster.until(Widget, 'a', ({ status }) =>
      (status?.conditions ?? []).some(({ message }) => message.includes('ConfigMap shop/a is there already')),
    );
    expect((await cluster.get(ConfigMap, 'a')).data).toEqual({ by: 'somebody' });
    await cluster.delete(Widget, 'a');
    await running.settled();
    expect((await cluster.get(ConfigMap, 'a')).metadata.ownerReferences).toBeUndefined();
  });

  test("adopt: 'unowned' takes it over, says so on both objects, and lets go of it when it is desired no longer", async () => {
    let wanted = true;
    const { cluster } = await begin(operatorOf(owning({ adopt: 'unowned' }, () => wanted)));
    await cluster.create(ConfigMap({ metadata: { name: 'a', namespace: 'shop' }, data: { old: 'stays' } }));
    await cluster.create(widget('a'));
    await cluster.until(ConfigMap, 'a', ({ data }) => data?.['by'] === 'us');
    await running.settled();
    const [reason, type] = ['Adopted', 'Normal'];
    expect(running.recorded).toEqual([
      { type, reason, about: 'Widget a', related: 'ConfigMap a', note: 'ConfigMap shop/a was there and had no controller' },
      { type, reason, about: 'ConfigMap a', related: 'Widget a', note: 'Widget a has taken it over' },
    ]);
    const adopted = await cluster.get(ConfigMap, 'a');
    // Nothing that the garbage collector follows: it was there before its owner.
    expect(adopted.metadata.ownerReferences).toBeUndefined();
    expect(adopted.data).toEqual({ old: 'stays', by: 'us' });
    // What others change is put right, as of any child.
    await cluster.patch(ConfigMap, 'a', mergePatch({ data: { by: 'them' } }));
    await cluster.until(ConfigMap, 'a', ({ data }) => data?.['by'] === 'us');
    wanted = false;
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 2 } }));
    await cluster.until(ConfigMap, 'a', ({ metadata }) => metadata.annotations?.[APPLIED_ANNOTATION] === undefined);
    await running.settled();
    expect((await cluster.get(ConfigMap, 'a')).data).toEqual({ old: 'stays', by: 'us' });
  });

  test.each([
    ['let go of', {}],
    ['left', { onDelete: 'orphan' }],
  ])(
    'two owners do not take one object from each other in turn; when the first is gone and it is %s, the other gets it',
    async (_, options) => {
      const both = defineController({
        name: 'widget',
        for: Widget,
        owns: { configs: own(ConfigMap, { adopt: 'unowned', ...options } as { readonly adopt: 'unowned' }) },
        reconcile: ({ object, done }) => done({ owned: { configs: [config('one', { by: object.metadata.name })] } }),
      });
      const { cluster } = await begin(operatorOf(both));
      await cluster.create(ConfigMap({ metadata: { name: 'one', namespace: 'shop' } }));
      await cluster.create(widget('a'));
      await cluster.until(ConfigMap, 'one', ({ data }) => data?.['by'] === 'a');
      await cluster.create(widget('b'));
      await cluster.until(Widget, 'b', ({ status }) =>
        (status?.conditions ?? []).some(({ message }) => message.includes('ConfigMap shop/one belongs to Widget a')),
      );
      expect((await cluster.get(ConfigMap, 'one')).data).toEqual({ by: 'a' });
      // They are told when the adoption is answered; the other owner sees it before.
      await cluster.until(() => expect(running.recorded.filter(({ reason }) => reason === 'Adopted')).toHaveLength(2));
      await cluster.delete(Widget, 'a');
      await cluster.until(ConfigMap, 'one', ({ data }) => data?.['by'] === 'b');
    },
  );

  test("beside onDelete: 'delete' an adopted object is a child like any other", async () => {
    const { cluster } = await begin(operatorOf(owning({ adopt: 'unowned', onDelete: 'delete' })));
    await cluster.create(ConfigMap({ metadata: { name: 'a', namespace: 'shop' } }));
    await cluster.create(widget('a'));
    await cluster.until(ConfigMap, 'a', ({ metadata }) => metadata.ownerReferences?.[0]?.controller === true);
  });
});

describe('two controllers of one kind', () => {
  const labelled = (name: string, child: string) =>
    defineController({
      name,
      for: Widget,
      owns: { configs: own(ConfigMap) },
      writesStatus: false,
      reconcile: ({ object, done }) => done({ owned: { configs: [config(`${object.metadata.name}-${child}`)] } }),
    });

  test('each prunes what it has applied itself, and nothing else', async () => {
    const { cluster } = await begin(operatorOf(labelled('first', 'one')));
    await cluster.create(widget('a'));
    await cluster.until(ConfigMap, 'a-one', 'present');
    const { metadata } = await cluster.get(Widget, 'a');
    await cluster.create(
      ConfigMap({
        metadata: {
          name: 'a-two',
          namespace: 'shop',
          annotations: { [APPLIED_ANNOTATION]: 'widget-operator/second:hash' },
          ownerReferences: [{ apiVersion: 'test.example.com/v1', kind: 'Widget', name: 'a', uid: metadata.uid, controller: true }],
        },
      }),
    );
    const mark = cluster.requests.mark;
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 3 } }));
    await running.settled();
    expect(cluster.requests.since(mark).filter({ verb: 'delete' }).all).toEqual([]);
    expect((await cluster.list(ConfigMap)).map(({ metadata: { name } }) => name).filter((name) => name.startsWith('a-'))).toEqual([
      'a-one',
      'a-two',
    ]);
  });
});

describe('verbs of an owned kind', () => {
  test('what is made carries its owner, is seen at once, is never pruned, and objects of others are out of reach', async () => {
    const seen: unknown[] = [];
    const refused: unknown[] = [];
    const controller = defineController({
      name: 'widget',
      for: Widget,
      owns: { configs: own(ConfigMap, { verbs: ['create', 'delete', 'patch'], desired: true }) },
      async reconcile({ object, configs, done }) {
        if (configs.list().length === 0) {
          const made = await configs.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'made-' } } as ConfigMap);
          seen.push(configs.get(made.metadata.name)?.metadata.uid === made.metadata.uid);
          await configs.patch(made, { data: { a: 'b' } });
        }
        await configs.delete('foreign').catch((error: unknown) => refused.push(String(error)));
        await configs.delete('absent');
        return done({ owned: { configs: object.spec.size > 1 ? [config('desired')] : [] } });
      },
    });
    const { cluster } = await begin(operatorOf(controller));
    await cluster.create(ConfigMap({ metadata: { name: 'foreign', namespace: 'shop' } }));
    await cluster.create(widget('a'));
    await running.settled();
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 2 } }));
    await cluster.until(ConfigMap, 'desired', 'present');
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 1 } }));
    await cluster.until(ConfigMap, 'desired', 'absent');
    await running.settled();
    const made = (await cluster.list(ConfigMap)).filter(({ metadata }) => metadata.name.startsWith('made-'));
    expect(made).toMatchObject([{ data: { a: 'b' }, metadata: { ownerReferences: [{ kind: 'Widget', name: 'a', controller: true }] } }]);
    expect(seen).toEqual([true]);
    expect(new Set(refused)).toEqual(new Set([expect.stringContaining('configs: ConfigMap foreign is not a child of Widget a')]));
    expect(await cluster.get(ConfigMap, 'foreign')).toBeDefined();
  });
});

describe('existence, immutable fields, deletion', () => {
  const jobs = (options: Parameters<typeof own>[1], image: () => string = () => 'a') =>
    defineController({
      name: 'widget',
      for: Widget,
      owns: { jobs: own(Job, options as { readonly existence?: 'once' }) },
      reconcile: ({ object, done }) =>
        done({
          owned: { jobs: object.spec.size > 9 ? [] : Array.from({ length: object.spec.size }, (_, index) => job(`j-${index}`, image())) },
        }),
    });

  test("existence: 'once': what was deleted is not made again, after a restart neither; what is desired no longer goes", async () => {
    const { cluster } = await begin(operatorOf(jobs({ existence: 'once' })));
    await cluster.create(widget('a'));
    await cluster.until(Job, 'j-0', 'present');
    await running.settled();
    await cluster.delete(Job, 'j-0', { propagationPolicy: 'Background' });
    await cluster.until(Job, 'j-0', 'absent');
    await running.settled();
    await running.stop();
    await running.begin();
    await running.settled();
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 2 } }));
    await cluster.until(Job, 'j-1', 'present');
    await running.settled();
    expect((await cluster.list(Job)).map(({ metadata }) => metadata.name)).toEqual(['j-1']);
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 10 } }));
    await cluster.until(Job, 'j-1', 'absent');
    await running.settled();
    // Forgotten with what is desired: the annotation stays small.
    expect((await cluster.get(Widget, 'a')).metadata.annotations ?? {}).toEqual({});
    expect(errors()).toEqual([]);
  });

  test("onImmutable: 'fail' names the field and the two other ways, and does not go on trying", async () => {
    let image = 'a';
    const { cluster } = await begin(operatorOf(jobs({}, () => image)));
    await cluster.create(widget('a'));
    await cluster.until(Job, 'j-0', 'present');
    image = 'b';
    await cluster.patch(Widget, 'a', mergePatch({ metadata: { labels: { again: '1' } } }));
    await cluster.until(Widget, 'a', ({ status }) =>
      (status?.conditions ?? []).some(
        ({ type, message }) =>
          type === 'Stalled' &&
          message.includes('spec.template') &&
          message.includes("'recreate'") &&
          message.includes("onImmutable: 'keep'"),
      ),
    );
    await running.settled();
    const mark = cluster.requests.mark;
    await running.settled();
    expect(cluster.requests.since(mark).filter({ verb: 'patch' }).all).toEqual([]);
  });

  test("onImmutable: 'recreate' deletes it and makes it anew; 'keep' leaves it and asks once", async () => {
    let image = 'a';
    const { cluster } = await begin(operatorOf(jobs({ onImmutable: 'recreate' }, () => image)));
    await cluster.create(widget('a'));
    const before = await cluster.until(Job, 'j-0', 'present');
    await running.settled();
    image = 'b';
    await cluster.patch(Widget, 'a', mergePatch({ metadata: { labels: { again: '1' } } }));
    const after = await cluster.until(Job, 'j-0', ({ spec }) => spec?.template.spec?.containers[0]?.image === 'b');
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    await running.close();

    image = 'a';
    const kept = await begin(operatorOf(jobs({ onImmutable: 'keep' }, () => image)));
    await kept.cluster.create(widget('a'));
    await kept.cluster.until(Job, 'j-0', 'present');
    await running.settled();
    image = 'b';
    await kept.cluster.patch(Widget, 'a', mergePatch({ metadata: { labels: { again: '1' } } }));
    await running.settled();
    const mark = kept.cluster.requests.mark;
    await kept.cluster.patch(Widget, 'a', mergePatch({ metadata: { labels: { again: '2' } } }));
    await running.settled();
    expect(kept.cluster.requests.since(mark).filter({ verb: 'patch', resource: 'jobs' } as never).all).toEqual([]);
    expect((await kept.cluster.get(Job, 'j-0')).spec?.template.spec?.containers[0]?.image).toBe('a');
    expect(errors()).toEqual([]);
  });

  test("onImmutable: 'recreate' deletes nothing that could not be made anew", async () => {
    let image = 'a';
    const { cluster } = await begin(operatorOf(jobs({ onImmutable: 'recreate' }, () => image)));
    await cluster.create(widget('a'));
    const before = await cluster.until(Job, 'j-0', 'present');
    await running.settled();
    image = '';
    await cluster.patch(Widget, 'a', mergePatch({ metadata: { labels: { again: '1' } } }));
    await cluster.until(Widget, 'a', ({ status }) =>
      (status?.conditions ?? []).some(({ type, message }) => type === 'Reconciling' && message.includes('spec.template')),
    );
    await running.settled();
    expect((await cluster.get(Job, 'j-0')).metadata).toMatchObject({ uid: before.metadata.uid });
    expect((await cluster.get(Job, 'j-0')).metadata.deletionTimestamp).toBeUndefined();
    image = 'b';
    await cluster.patch(Widget, 'a', mergePatch({ metadata: { labels: { again: '2' } } }));
    await cluster.until(Job, 'j-0', ({ metadata }) => metadata.uid !== before.metadata.uid);
  });

  test.each([
    ['Background', 'absent', 'going'],
    ['Foreground', 'going', 'going'],
    ['Orphan', 'absent', 'left alone'],
  ] as const)(
    'propagation: %s: a child that is desired no longer is %s while what it owns itself is %s',
    async (propagation, child, below) => {
      let wanted = true;
      const controller = defineController({
        name: 'widget',
        for: Widget,
        owns: { configs: own(ConfigMap, { propagation }) },
        reconcile: ({ done }) => done({ owned: { configs: wanted ? [config('child')] : [] } }),
      });
      const { cluster } = await begin(operatorOf(controller));
      await cluster.create(widget('a'));
      const { apiVersion, kind, metadata } = await cluster.until(ConfigMap, 'child', 'present');
      const owner = { apiVersion, kind, name: 'child', uid: metadata.uid, blockOwnerDeletion: true };
      await cluster.create(ConfigMap({ metadata: { name: 'below', ownerReferences: [owner], finalizers: ['test.example.com/held'] } }));
      const stateOf = async (name: string): Promise<string> => {
        const [live] = (await cluster.list(ConfigMap)).filter((one) => one.metadata.name === name);
        if (live === undefined) return 'absent';
        return live.metadata.deletionTimestamp === undefined ? 'left alone' : 'going';
      };
      wanted = false;
      await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 2 } }));
      await cluster.until(async () => expect(await stateOf('child')).not.toBe('left alone'));
      await running.settled();
      expect([await stateOf('child'), await stateOf('below')]).toEqual([child, below]);
      expect((await cluster.get(ConfigMap, 'below')).metadata.ownerReferences ?? []).toHaveLength(propagation === 'Orphan' ? 0 : 1);
      await cluster.patch(ConfigMap, 'below', mergePatch({ metadata: { finalizers: null } }));
      await cluster.until(ConfigMap, 'child', 'absent');
    },
  );

  test("onDelete: 'orphan': the child stays however its owner is deleted, and is repaired as long as that lives", async () => {
    const controller = defineController({
      name: 'widget',
      for: Widget,
      owns: { claims: own(PersistentVolumeClaim, { onDelete: 'orphan' }) },
      reconcile: ({ object, claims, done }) =>
        done({ owned: { claims: [claim(object.metadata.name)] }, status: { size: claims.list().length } }),
    });
    const { cluster } = await begin(operatorOf(controller));
    await cluster.create(widget('a'));
    await cluster.until(PersistentVolumeClaim, 'a', 'present');
    // Its own events reconcile the owner, which sees it among its children.
    await cluster.until(Widget, 'a', ({ status }) => status?.size === 1);
    await cluster.delete(Widget, 'a', { propagationPolicy: 'Foreground' });
    await cluster.until(Widget, 'a', 'absent');
    await running.settled();
    expect((await cluster.get(PersistentVolumeClaim, 'a')).metadata.deletionTimestamp).toBeUndefined();
    // Another object of the name does not get the data of the one before without being told to.
    await cluster.create(widget('a'));
    await cluster.until(Widget, 'a', ({ status }) =>
      (status?.conditions ?? []).some(({ message }) => message.includes('is there already')),
    );
  });
});

test('owned.apply: children are there before an action of the same run, and nothing is pruned by it', async () => {
  const order: string[] = [];
  const controller = defineController({
    name: 'widget',
    for: Widget,
    owns: { configs: own(ConfigMap), secrets: own(Secret) },
    async reconcile({ configs, owned, done }) {
      await owned.apply({ configs: [config('early')] });
      order.push(configs.get('early') === undefined ? 'missing' : 'there');
      return done();
    },
  });
  const { cluster } = await begin(operatorOf(controller));
  await cluster.create(widget('a'));
  await cluster.until(ConfigMap, 'early', 'present');
  await running.settled();
  expect(new Set(order)).toEqual(new Set(['there']));
});

test('a declaration that contradicts itself, or an owner of another kind, is refused when it is defined', () => {
  const define = (options: object) =>
    defineController({ name: 'widget', for: Widget, reconcile: () => undefined, ...options } as never) as ControllerModel;
  expect(() => define({ owns: { a: own(Pod, { desired: false }) } })).toThrow('owns.a.desired: is false, and there are no verbs');
  expect(() => define({ owns: { a: own(Job, { existence: 'once', verbs: ['delete'] }) } })).toThrow("owns.a.existence: is 'once'");
  expect(() => define({ owns: { a: own(Job, { existence: 'once', onImmutable: 'keep' }) } })).toThrow("owns.a.onImmutable: is 'keep'");
  expect(() => define({ owns: { a: own(ConfigMap, { verbs: ['evict'] }) } })).toThrow('owns.a.verbs[0]: ConfigMap cannot be evicted');
  expect(() => define({ watches: { a: watch(Pod, { verbs: ['delete'], metadataOnly: true }) } })).toThrow(
    'watches.a.metadataOnly: is set beside verbs',
  );
  expect(define({ owns: { a: ConfigMap } }).owns['a']?.policy).toEqual(own(ConfigMap).policy);
});
