import type { JsonObject, Strategy } from '../../../src/api-server/contract/index.js';
import { forbidden } from '../../../src/api-server/status/index.js';
import type { Json } from '../../../src/kubernetes/apimachinery/index.js';
import { type Bench, bodyOf, drained, type FakeOptions, metaOf, newBench, refusalOf, toldEvent, toldRefusal, widget } from './fakes.js';

type Change = (object: JsonObject) => JsonObject;
const withMeta =
  (fields: { readonly [field: string]: Json }): Change =>
  (object) => ({ ...object, metadata: { ...metaOf(object), ...fields } });
const without =
  (field: string): Change =>
  (object) => ({ ...object, metadata: Object.fromEntries(Object.entries(metaOf(object)).filter(([name]) => name !== field)) });

const create = (bench: Bench, fields: { readonly [field: string]: Json } = {}) =>
  bench.registry.create(bench.at('default/'), bodyOf(widget('a', fields)), bench.context());

const put = (bench: Bench, object: JsonObject, context = {}) =>
  bench.registry.update(bench.at('default/a'), bodyOf(object), bench.context(context));

const conflict = 'Operation cannot be fulfilled on widgets.example.com "a"';

const refusals: readonly (readonly [string, Change, string, FakeOptions?])[] = [
  ['another name', withMeta({ name: 'b' }), '400 BadRequest: the name of the object (b) does not match the name on the URL (a)'],
  ['no name', without('name'), '400 BadRequest: the name of the object (a based on URL) was undeterminable: name must be provided'],
  [
    'another namespace',
    withMeta({ namespace: 'b' }),
    '400 BadRequest: the namespace of the provided object does not match the namespace sent on the request',
  ],
  [
    'another uid',
    withMeta({ uid: 'other' }),
    `409 Conflict: ${conflict}: StorageError: invalid object, Code: 4, Key: /registry/widgets/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: uid-1`,
  ],
  [
    'another uid of a custom resource',
    withMeta({ uid: 'other' }),
    `409 Conflict: ${conflict}: StorageError: invalid object, Code: 4, Key: /registry/example.com/widgets/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: uid-1`,
    { isCustom: true },
  ],
  [
    'an older version',
    withMeta({ resourceVersion: '1' }),
    `409 Conflict: ${conflict}: the object has been modified; please apply your changes to the latest version and try again`,
  ],
  ['a version that is none', withMeta({ resourceVersion: 'x' }), '500 -: strconv.ParseUint: parsing "x": invalid syntax'],
  [
    'no version where it must be there',
    without('resourceVersion'),
    '422 Invalid: widgets.example.com "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    { strategy: { allowsUnconditionalUpdate: false } },
  ],
  [
    'a deletion',
    withMeta({ deletionTimestamp: '2024-01-01T00:00:00Z' }),
    '422 Invalid: Widget.example.com "a" is invalid: metadata.deletionTimestamp: Invalid value: "2024-01-01T00:00:00Z": field is immutable',
  ],
  [
    'a grace',
    withMeta({ deletionGracePeriodSeconds: 5 }),
    '422 Invalid: Widget.example.com "a" is invalid: metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable',
  ],
  [
    'what the kind does not want',
    (object) => ({ ...object, spec: { size: -2 } }),
    '422 Invalid: Widget.example.com "a" is invalid: spec.size: Invalid value: -2: must not be negative',
  ],
];

describe('a PUT that cannot be', () => {
  test.each(refusals.map(([name, change, text, options = {}]) => ({ name, change, text, options })))(
    '$name is refused',
    async ({ change, text, options }) => {
      const bench = newBench(options);
      const created = await create(bench);
      expect(await toldRefusal(put(bench, change(created)))).toBe(text);
      expect(bench.store.revision).toBe(2);
    },
  );

  test('what is not there is not found', async () => {
    const bench = newBench();
    expect(await toldRefusal(put(bench, widget('a')))).toBe('404 NotFound: widgets.example.com "a" not found');
  });

  test('new finalizers of an object on its way out', async () => {
    const bench = newBench();
    await create(bench, { metadata: { finalizers: ['example.com/f'] } });
    await bench.registry.delete(bench.at('default/a'), {}, bench.context());
    const current = await bench.registry.get(bench.at('default/a'), {});
    const refused = await refusalOf(put(bench, withMeta({ finalizers: ['example.com/f', 'z.io/y', 'z.io/x'] })(current)));
    expect(refused.message).toBe(
      'Widget.example.com "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"z.io/x", "z.io/y"}',
    );
    // The registry asks once, and the kind once more.
    expect(refused.details?.causes).toHaveLength(2);
  });

  test('a kind that validates metadata again tells its causes once more', async () => {
    const bench = newBench({ strategy: { revalidatesMetadata: true } });
    const created = await create(bench);
    const refused = await refusalOf(put(bench, withMeta({ labels: { a: '-' } })(created)));
    expect(refused.details?.causes).toHaveLength(4);
  });
});

describe('what a PUT leaves as it is', () => {
  test('identity, times of creation and deletion, generation', async () => {
    const bench = newBench();
    const created = await create(bench);
    const wiped = ['uid', 'creationTimestamp', 'generation'].reduce<JsonObject>((object, field) => without(field)(object), created);
    const { object, isCreated } = await put(bench, withMeta({ creationTimestamp: '1999-01-01T00:00:00Z', generation: 44 })(wiped));
    expect(isCreated).toBe(false);
    expect(object).toBe(created);
  });

  test('a deletion that was asked for', async () => {
    const bench = newBench();
    await create(bench, { metadata: { finalizers: ['example.com/f'] } });
    await bench.registry.delete(bench.at('default/a'), {}, bench.context());
    const current = await bench.registry.get(bench.at('default/a'), {});
    const wiped = ['deletionTimestamp', 'deletionGracePeriodSeconds'].reduce<JsonObject>(
      (object, field) => without(field)(object),
      current,
    );
    const { object } = await put(bench, withMeta({ labels: { a: 'b' } })(wiped));
    expect(metaOf(object)).toMatchObject({ deletionTimestamp: '2024-01-01T00:00:00Z', deletionGracePeriodSeconds: 0, labels: { a: 'b' } });
  });

  test('everything, if nothing changed: no version is spent, even by another manager at another time', async () => {
    const bench = newBench();
    const created = await create(bench);
    bench.seconds = 60;
    const { object } = await put(bench, created, { fieldManager: 'other' });
    expect(object).toBe(created);
    expect(bench.store.revision).toBe(2);
  });

  test('the time of an entry that only would be renewed', async () => {
    const prepareForUpdate: Strategy['prepareForUpdate'] = (draft) => {
      draft['spec'] = { size: 3 };
    };
    const bench = newBench({ strategy: { prepareForUpdate } });
    const created = await create(bench);
    bench.seconds = 60;
    // The field is attributed, and then the kind sets it back.
    const { object } = await put(bench, { ...created, spec: { size: 4 } });
    expect(object).toBe(created);
  });
});

describe('who comes first', () => {
  test('an unconditional write is made again from what is there by then', async () => {
    const bench = newBench();
    const created = await create(bench);
    let others = 0;
    bench.admission.onValidate = async ({ operation }) => {
      if (operation !== 'UPDATE' || others === 2) return;
      others += 1;
      const current = bench.store.get({ resource: 'example.com/widgets', namespace: 'default', name: 'a' }) as JsonObject;
      bench.store.update({ resource: 'example.com/widgets', namespace: 'default', name: 'a' }, { ...current, status: { size: others } });
    };
    const { object } = await put(bench, without('resourceVersion')({ ...created, spec: { size: 8 } }));
    expect(object).toMatchObject({ spec: { size: 8 }, status: { size: 2 }, metadata: { resourceVersion: '5' } });
  });

  test('a write that names its version is refused then', async () => {
    const bench = newBench();
    const created = await create(bench);
    bench.admission.onValidate = ({ operation }) => {
      if (operation === 'UPDATE')
        bench.store.update({ resource: 'example.com/widgets', namespace: 'default', name: 'a' }, { ...created, status: { size: 5 } });
    };
    expect(await toldRefusal(put(bench, { ...created, spec: { size: 8 } }))).toBe(
      `409 Conflict: ${conflict}: the object has been modified; please apply your changes to the latest version and try again`,
    );
  });

  test('what was deleted meanwhile is not found', async () => {
    const bench = newBench();
    const created = await create(bench);
    bench.admission.onValidate = ({ operation }) => {
      if (operation === 'UPDATE') bench.store.delete({ resource: 'example.com/widgets', namespace: 'default', name: 'a' });
    };
    expect(await toldRefusal(put(bench, { ...created, spec: { size: 8 } }))).toBe('404 NotFound: widgets.example.com "a" not found');
  });
});

describe('a kind that PUT may create', () => {
  const options: FakeOptions = { strategy: { allowsCreateOnUpdate: true } };

  test('is created, whatever version the body names', async () => {
    const bench = newBench(options);
    const asked: string[] = [];
    const { object, isCreated } = await put(bench, widget('a', { metadata: { resourceVersion: '99' } }), {
      authorize: (verb: string) => asked.push(verb),
    });
    expect(isCreated).toBe(true);
    expect(metaOf(object)).toMatchObject({ uid: 'uid-1', resourceVersion: '2', managedFields: [{ manager: 'test' }] });
    expect(asked).toEqual(['create']);
    expect(bench.admission.seen).toEqual(['mutate CREATE default/a', 'validate CREATE default/a']);
    expect(bench.admission.requests[0]?.options?.['kind']).toBe('CreateOptions');
  });

  test('only by who may create', async () => {
    const bench = newBench(options);
    const authorize = (): never => {
      throw forbidden({ group: '', plural: '' }, '', 'no');
    };
    expect(await toldRefusal(put(bench, widget('a'), { authorize }))).toBe('403 Forbidden: forbidden: no');
    expect(bench.admission.seen).toEqual(['mutate CREATE default/a']);
  });

  test('not with a uid', async () => {
    const bench = newBench(options);
    expect((await refusalOf(put(bench, widget('a', { metadata: { uid: 'u' } })))).message).toMatch(
      /UID in precondition: u, UID in object meta: $/,
    );
  });

  test('not through its status', async () => {
    const bench = newBench(options);
    const status = bench.registry.update(bench.at('default/a', { subresource: 'status' }), bodyOf(widget('a')), bench.context());
    expect(await toldRefusal(status)).toBe('404 NotFound: widgets.example.com "a" not found');
  });
});

describe('the end of the last finalizer', () => {
  test('is the end of the object, which is answered once more', async () => {
    const bench = newBench();
    await create(bench, { metadata: { finalizers: ['example.com/f'] } });
    await bench.registry.delete(bench.at('default/a'), {}, bench.context());
    const watch = await bench.registry.watch(bench.at('default/'), { resourceVersion: '3' });
    const current = await bench.registry.get(bench.at('default/a'), {});
    const { object } = await put(bench, without('finalizers')({ ...current, spec: { size: 5 } }));
    expect(object).toMatchObject({ spec: { size: 5 }, metadata: { resourceVersion: '3' } });
    // The change was not written: watchers see the object as it was.
    const [event] = await drained(watch);
    expect(toldEvent(event as never)).toBe('DELETED a@4');
    expect(event).toMatchObject({ object: { spec: { size: 3 }, metadata: { finalizers: ['example.com/f'] } } });
  });

  test('not in a dry run, and not while the kind waits for more', async () => {
    let mayBeRemoved = false;
    const bench = newBench({ strategy: { mayBeRemoved: () => mayBeRemoved } });
    await create(bench, { metadata: { finalizers: ['example.com/f'] } });
    await bench.registry.delete(bench.at('default/a'), {}, bench.context());
    const current = await bench.registry.get(bench.at('default/a'), {});
    await put(bench, without('finalizers')(current), { isDryRun: true });
    expect(await bench.registry.get(bench.at('default/a'), {})).toBe(current);
    const { object } = await put(bench, without('finalizers')(current));
    expect(await bench.registry.get(bench.at('default/a'), {})).toBe(object);
    mayBeRemoved = true;
    await put(bench, object);
    expect(await toldRefusal(bench.registry.get(bench.at('default/a'), {}))).toMatch(/^404/);
  });
});

describe('the status', () => {
  const putStatus = (bench: Bench, object: JsonObject) =>
    bench.registry.update(bench.at('default/a', { subresource: 'status' }), bodyOf(object), bench.context({ fieldManager: 'controller' }));

  test('is all that its endpoint changes, and the object has all but it', async () => {
    const bench = newBench();
    const created = await create(bench);
    const { object } = await putStatus(bench, { ...withMeta({ labels: { a: 'b' } })(created), spec: { size: 9 }, status: { size: 3 } });
    expect(object).toMatchObject({ spec: { size: 3 }, status: { size: 3 }, metadata: { generation: 1, resourceVersion: '3' } });
    expect(metaOf(object)['labels']).toBeUndefined();
    expect(metaOf(object)['managedFields']).toMatchObject([
      { manager: 'controller', subresource: 'status', fieldsV1: { 'f:status': { 'f:size': {} } } },
      { manager: 'test' },
    ]);
    const { object: after } = await put(bench, { ...object, status: { size: 77 }, spec: { size: 4 } });
    expect(after).toMatchObject({ spec: { size: 4 }, status: { size: 3 }, metadata: { generation: 2 } });
  });

  test('has its own rules', async () => {
    const bench = newBench();
    const created = await create(bench);
    expect(await toldRefusal(putStatus(bench, { ...created, status: { size: -3 } }))).toBe(
      '422 Invalid: Widget.example.com "a" is invalid: status.size: Invalid value: -3: must not be negative',
    );
  });

  test('is not found where the version has none', async () => {
    const bench = newBench({ hasStatus: false });
    const created = await create(bench);
    expect(await toldRefusal(putStatus(bench, created))).toMatch(/^404/);
    expect(await toldRefusal(bench.registry.get(bench.at('default/a', { subresource: 'status' }), {}))).toMatch(/^404/);
  });
});

test('a dry run answers what would be, and leaves what is', async () => {
  const bench = newBench();
  const created = await create(bench);
  const { object } = await put(bench, { ...created, spec: { size: 5 } }, { isDryRun: true });
  expect(object).toMatchObject({ spec: { size: 5 }, metadata: { generation: 2, resourceVersion: '2' } });
  expect(await bench.registry.get(bench.at('default/a'), {})).toBe(created);
});

test('admission of an update sees both objects', async () => {
  const bench = newBench();
  const created = await create(bench);
  bench.admission.seen.length = 0;
  bench.admission.requests.length = 0;
  await put(bench, { ...created, spec: { size: 5 } });
  expect(bench.admission.seen).toEqual(['mutate UPDATE default/a', 'validate UPDATE default/a']);
  const [, validated] = bench.admission.requests;
  expect(validated?.oldObject).toBe(created);
  expect(validated?.object).toMatchObject({ spec: { size: 5 }, metadata: { generation: 2 } });
});
