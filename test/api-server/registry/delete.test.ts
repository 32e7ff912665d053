import type { DeleteOptions, RequestContext, Strategy } from '../../../src/api-server/contract/index.js';
import { forbidden } from '../../../src/api-server/status/index.js';
import type { Json } from '../../../src/kubernetes/apimachinery/index.js';
import { type Bench, bodyOf, drained, type FakeOptions, metaOf, newBench, toldEvent, toldRefusal, widget } from './fakes.js';

const create = (bench: Bench, fields: { readonly [field: string]: Json } = {}) =>
  bench.registry.create(bench.at('default/'), bodyOf(widget('a', fields)), bench.context());
const remove = (bench: Bench, options: DeleteOptions = {}, context: Partial<RequestContext> = {}) =>
  bench.registry.delete(bench.at('default/a'), options, bench.context(context));
const finalizers = (...names: string[]) => ({ metadata: { finalizers: names } });
const gone = {
  status: { status: 'Success', code: 200, isCodeless: true, details: { name: 'a', group: 'example.com', kind: 'widgets', uid: 'uid-1' } },
  isPending: false,
};

/** As Pods: 30 s, if nobody says otherwise. */
const graceful: FakeOptions = { strategy: { gracePeriodSeconds: (_object, { gracePeriodSeconds = 30 }) => gracePeriodSeconds } };

describe('a deletion', () => {
  test('answers with the object where the kind says so', async () => {
    const bench = newBench({ strategy: { returnsDeleted: true } });
    await create(bench);
    expect(await remove(bench)).toMatchObject({ object: { metadata: { name: 'a', resourceVersion: '3' } }, isPending: false });
  });

  test('of what is not there is not found', async () => {
    expect(await toldRefusal(remove(newBench()))).toBe('404 NotFound: widgets.example.com "a" not found');
  });

  test.each<[string, DeleteOptions, string, FakeOptions]>([
    [
      'uid',
      { preconditions: { uid: 'x' } },
      '409 Conflict: Operation cannot be fulfilled on Widget.example.com "a": the UID in the precondition (x) does not match the UID in record (uid-1). The object might have been deleted and then recreated',
      {},
    ],
    [
      'version',
      { preconditions: { resourceVersion: '1' } },
      '409 Conflict: Operation cannot be fulfilled on Widget.example.com "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (2). The object might have been modified',
      {},
    ],
    [
      'uid of a kind that is marked first',
      { preconditions: { uid: 'x' } },
      '409 Conflict: Operation cannot be fulfilled on widgets.example.com "a": Precondition failed: UID in precondition: x, UID in object meta: uid-1',
      { strategy: { terminate: () => undefined } },
    ],
  ])('on condition of another %s is refused', async (_name, options, text, fake) => {
    const bench = newBench(fake);
    await create(bench);
    expect(await toldRefusal(remove(bench, options))).toBe(text);
    expect(bench.store.sizes.objects).toBe(1);
  });

  test('on conditions that hold is done', async () => {
    const bench = newBench();
    await create(bench);
    expect(await remove(bench, { preconditions: { uid: 'uid-1', resourceVersion: '2' } })).toEqual(gone);
  });

  test('asks admission with the old object alone', async () => {
    const bench = newBench();
    const created = await create(bench);
    bench.admission.requests.length = 0;
    await remove(bench, { gracePeriodSeconds: 3, propagationPolicy: 'Background', preconditions: { uid: 'uid-1' } });
    expect(bench.admission.seen.slice(2)).toEqual(['mutate DELETE default/a', 'validate DELETE default/a']);
    const [request] = bench.admission.requests;
    expect(request?.oldObject).toBe(created);
    expect(request?.object).toBeUndefined();
    expect(request?.options).toEqual({
      kind: 'DeleteOptions',
      apiVersion: 'meta.k8s.io/v1',
      gracePeriodSeconds: 3,
      preconditions: { uid: 'uid-1' },
      propagationPolicy: 'Background',
    });
  });

  test('that admission or the kind refuses leaves the object', async () => {
    const refuse = (): never => {
      throw forbidden({ group: '', plural: '' }, '', 'no');
    };
    const bench = newBench();
    await create(bench);
    bench.admission.onValidate = refuse;
    expect(await toldRefusal(remove(bench))).toBe('403 Forbidden: forbidden: no');
    const careful = newBench({ strategy: { checkDelete: refuse } });
    await create(careful);
    expect(await toldRefusal(remove(careful))).toBe('403 Forbidden: forbidden: no');
    expect([bench.store.sizes.objects, careful.store.sizes.objects]).toEqual([1, 1]);
  });

  test('in a dry run answers and leaves the object', async () => {
    const bench = newBench();
    await create(bench);
    expect(await remove(bench, {}, { isDryRun: true })).toEqual(gone);
    expect(bench.store.revision).toBe(2);
  });

  test('of what somebody else changes meanwhile is made of what is there then', async () => {
    const bench = newBench();
    const created = await create(bench);
    let isFirst = true;
    bench.admission.onValidate = () => {
      if (isFirst)
        bench.store.update(
          { resource: 'example.com/widgets', namespace: 'default', name: 'a' },
          { ...created, metadata: { ...metaOf(created), finalizers: ['example.com/f'] } },
        );
      isFirst = false;
    };
    expect(await remove(bench)).toMatchObject({
      isPending: true,
      object: { metadata: { finalizers: ['example.com/f'], deletionGracePeriodSeconds: 0 } },
    });
  });
});

describe('finalizers', () => {
  test('keep the object, which is marked once', async () => {
    const bench = newBench();
    await create(bench, finalizers('example.com/f'));
    const watch = await bench.registry.watch(bench.at('default/'), { resourceVersion: '2' });
    const marked = {
      object: {
        metadata: { deletionTimestamp: '2024-01-01T00:00:00Z', deletionGracePeriodSeconds: 0, generation: 2, resourceVersion: '3' },
      },
      isPending: true,
    };
    expect(await remove(bench)).toMatchObject(marked);
    bench.seconds = 60;
    expect(await remove(bench)).toMatchObject(marked);
    expect((await drained(watch)).map(toldEvent)).toEqual(['MODIFIED a@3']);
  });

  const policies: readonly (readonly [
    string,
    DeleteOptions,
    readonly string[],
    readonly string[] | 'gone',
    Strategy['defaultPropagation']?,
  ])[] = [
    ['foreground', { propagationPolicy: 'Foreground' }, [], ['foregroundDeletion']],
    ['orphan', { propagationPolicy: 'Orphan' }, ['example.com/f'], ['example.com/f', 'orphan']],
    ['orphan instead of foreground', { propagationPolicy: 'Orphan' }, ['foregroundDeletion'], ['orphan']],
    ['background instead of orphan', { propagationPolicy: 'Background' }, ['orphan'], 'gone'],
    ['background instead of orphan, and another', { propagationPolicy: 'Background' }, ['orphan', 'example.com/f'], ['example.com/f']],
    ['nothing said, orphan there', {}, ['orphan'], ['orphan']],
    ['nothing said, foreground there', {}, ['foregroundDeletion'], ['foregroundDeletion']],
    ['nothing said, orphan by default', {}, [], ['orphan'], 'Orphan'],
    ['foreground where orphan is default', { propagationPolicy: 'Foreground' }, [], ['foregroundDeletion'], 'Orphan'],
    ['foreground of a kind that knows no dependents', { propagationPolicy: 'Foreground' }, [], 'gone', 'Unsupported'],
  ];

  test.each(policies.map(([name, options, before, after, defaultPropagation]) => ({ name, options, before, after, defaultPropagation })))(
    '$name',
    async ({ options, before, after, defaultPropagation }) => {
      const bench = newBench(defaultPropagation === undefined ? {} : { strategy: { defaultPropagation } });
      await create(bench, before.length === 0 ? {} : finalizers(...before));
      const deleted = await remove(bench, options);
      if (after === 'gone') expect(deleted).toEqual(gone);
      else expect(deleted).toMatchObject({ isPending: true, object: { metadata: { finalizers: after } } });
    },
  );

  test('are told but not set in a dry run', async () => {
    const bench = newBench();
    const created = await create(bench);
    expect(await remove(bench, { propagationPolicy: 'Foreground' }, { isDryRun: true })).toMatchObject({
      isPending: true,
      object: { metadata: { finalizers: ['foregroundDeletion'], deletionTimestamp: '2024-01-01T00:00:00Z' } },
    });
    expect(await bench.registry.get(bench.at('default/a'), {})).toBe(created);
  });
});

describe('grace', () => {
  test('keeps the object until it is over', async () => {
    const bench = newBench(graceful);
    await create(bench);
    expect(await remove(bench)).toMatchObject({
      isPending: true,
      object: { metadata: { deletionTimestamp: '2024-01-01T00:00:30Z', deletionGracePeriodSeconds: 30, generation: 2 } },
    });
  });

  test('can only become shorter', async () => {
    const bench = newBench(graceful);
    await create(bench);
    await remove(bench);
    bench.seconds = 5;
    expect(await remove(bench, { gracePeriodSeconds: 60 })).toEqual({ ...gone, isPending: true });
    expect(await remove(bench)).toEqual({ ...gone, isPending: true });
    expect(await remove(bench, { gracePeriodSeconds: 10 })).toMatchObject({
      object: { metadata: { deletionTimestamp: '2024-01-01T00:00:10Z', deletionGracePeriodSeconds: 10, generation: 2 } },
    });
    bench.seconds = 9;
    // What would be over already is over in a second: who watches must see it.
    expect(await remove(bench, { gracePeriodSeconds: 8 })).toMatchObject({
      object: { metadata: { deletionTimestamp: '2024-01-01T00:00:09Z', deletionGracePeriodSeconds: 1 } },
    });
  });

  test('of none is told to all who watch before the object goes', async () => {
    const bench = newBench(graceful);
    await create(bench);
    const watch = await bench.registry.watch(bench.at('default/'), { resourceVersion: '2' });
    expect(await remove(bench, { gracePeriodSeconds: 0 })).toEqual(gone);
    expect((await drained(watch)).map(toldEvent)).toEqual(['MODIFIED a@3', 'DELETED a@4']);
  });

  test('that has been none once, and a negative one', async () => {
    const bench = newBench(graceful);
    await create(bench, finalizers('example.com/f'));
    await remove(bench, { gracePeriodSeconds: 0 });
    expect(await remove(bench)).toMatchObject({
      object: { metadata: { deletionGracePeriodSeconds: 0, resourceVersion: '3' } },
      isPending: true,
    });
    const other = newBench(graceful);
    await create(other);
    expect(await remove(other, { gracePeriodSeconds: -5 })).toMatchObject({ object: { metadata: { deletionGracePeriodSeconds: 1 } } });
  });

  test('of none that is tried only', async () => {
    const bench = newBench(graceful);
    await create(bench);
    expect(await remove(bench, { gracePeriodSeconds: 0 }, { isDryRun: true })).toMatchObject({
      object: { metadata: { deletionGracePeriodSeconds: 0 } },
      isPending: false,
    });
    expect(bench.store.revision).toBe(2);
  });
});

describe('a kind that others finish', () => {
  const namespaces: FakeOptions = {
    strategy: {
      terminate(draft) {
        draft['status'] = { phase: 'Terminating' };
      },
      mayBeRemoved: (object) => ((object['spec'] as { mode?: string }).mode ?? '') === '',
    },
  };

  test('is marked first, and goes when it may', async () => {
    const bench = newBench(namespaces);
    await create(bench, { spec: { mode: 'busy' } });
    const marked = {
      object: { status: { phase: 'Terminating' }, metadata: { deletionTimestamp: '2024-01-01T00:00:00Z', resourceVersion: '3' } },
      isPending: true,
    };
    expect(await remove(bench)).toMatchObject(marked);
    expect(await remove(bench)).toMatchObject(marked);
    const current = await bench.registry.get(bench.at('default/a'), {});
    await bench.registry.update(bench.at('default/a'), bodyOf({ ...current, spec: {} }), bench.context());
    expect(bench.store.sizes.objects).toBe(0);
  });
});

describe('a collection', () => {
  const fill = async (bench: Bench) => {
    for (const [namespace, name, mode] of [
      ['default', 'a', 'x'],
      ['default', 'b', 'y'],
      ['default', 'c', 'x'],
      ['other', 'd', 'x'],
    ] as const) {
      await bench.registry.create(
        bench.at(`${namespace}/`),
        bodyOf(widget(name, { spec: { mode }, metadata: { labels: { mode } } })),
        bench.context(),
      );
    }
  };
  const left = async (bench: Bench) => (await bench.registry.list({ ...bench.at('/') }, {})).items.map((object) => metaOf(object)['name']);

  test('is deleted as it is selected, and answered', async () => {
    const bench = newBench();
    await fill(bench);
    const { items } = await bench.registry.deleteCollection(
      bench.at('default/'),
      { list: { labelSelector: 'mode=x' }, delete: {} },
      bench.context(),
    );
    expect(items.map((object) => metaOf(object)['name'])).toEqual(['a', 'c']);
    expect(await left(bench)).toEqual(['b', 'd']);
    await bench.registry.deleteCollection(bench.at('default/'), { list: { fieldSelector: 'spec.mode=y' }, delete: {} }, bench.context());
    expect(await left(bench)).toEqual(['d']);
  });

  test('of all namespaces, page by page if so asked', async () => {
    const bench = newBench();
    await fill(bench);
    const { items, continue: token } = await bench.registry.deleteCollection(
      bench.at('/'),
      { list: { limit: 2 }, delete: {} },
      bench.context(),
    );
    expect(items).toHaveLength(2);
    expect(token).toBeDefined();
    expect(await left(bench)).toEqual(['c', 'd']);
    await bench.registry.deleteCollection(bench.at('/'), { list: {}, delete: {} }, bench.context({ isDryRun: true }));
    expect(await left(bench)).toEqual(['c', 'd']);
    await bench.registry.deleteCollection(bench.at('/'), { list: {}, delete: {} }, bench.context());
    expect(await left(bench)).toEqual([]);
  });

  test('whose objects are gone meanwhile, or stay', async () => {
    const bench = newBench();
    await fill(bench);
    bench.admission.onValidate = ({ name }) => {
      if (name === 'a') bench.store.delete({ resource: 'example.com/widgets', namespace: 'default', name: 'b' });
      if (name === 'c') throw forbidden({ group: '', plural: '' }, '', 'no');
    };
    expect(await toldRefusal(bench.registry.deleteCollection(bench.at('default/'), { list: {}, delete: {} }, bench.context()))).toBe(
      '403 Forbidden: forbidden: no',
    );
    expect(await left(bench)).toEqual(['c', 'd']);
  });
});
