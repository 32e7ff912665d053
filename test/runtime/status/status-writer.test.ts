import type { StoredObject } from '../../../src/runtime/cache/index.js';
import { ConflictError, NotFoundError } from '../../../src/runtime/client/index.js';
import { StatusWriter } from '../../../src/runtime/status/index.js';
import { Share } from '../../../src/runtime/status/share.js';
import { FakeInformer } from '../children/fake-informer.js';
import { MemoryLog } from '../harness/running-controller.js';
import { Widget } from '../reconcile/widget.js';

const SIGNAL = new AbortController().signal;
const widget = (status?: object, resourceVersion = '1'): StoredObject =>
  ({
    apiVersion: 'test.example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'shop', uid: 'u', resourceVersion },
    ...(status === undefined ? {} : { status }),
  }) as unknown as StoredObject;

interface Sent {
  readonly verb: string;
  readonly key: unknown;
  readonly body: unknown;
  readonly options: unknown;
}

function scene(answer: (body: { readonly status?: object }) => StoredObject, live: () => StoredObject = widget, share?: Share) {
  const sent: Sent[] = [];
  const informer = new FakeInformer(Widget);
  const log = new MemoryLog();
  const status = () => ({
    apply: async (key: unknown, body: { readonly status: object }, options: unknown) => {
      sent.push({ verb: 'apply', key, body, options });
      return answer(body);
    },
    patch: async (key: unknown, patch: { readonly body: { readonly status: object } }, options: unknown) => {
      sent.push({ verb: 'patch', key, body: patch.body, options });
      return answer(patch.body);
    },
  });
  const list = async (_: unknown, options: unknown) => {
    sent.push({ verb: 'list', key: undefined, body: undefined, options });
    return { items: [live()] };
  };
  const writer = new StatusWriter({ client: { list, status } as never, log, kind: Widget, informer, fieldManager: 'test/widget', share });
  return { sent, informer, log, writer };
}

test('H46: a status is applied with the uid and the version of the object that it is about, by one request, and the cache has it at once', async () => {
  const { sent, informer, writer } = scene(({ status = {} }) => widget(status, '2'));
  expect(await writer.write(widget(), { size: 1 }, SIGNAL)).toBe(true);
  expect(sent).toEqual([
    {
      verb: 'apply',
      key: { name: 'w', namespace: 'shop' },
      body: { metadata: { name: 'w', namespace: 'shop', uid: 'u', resourceVersion: '1' }, status: { size: 1 } },
      options: { fieldManager: 'test/widget', force: true, signal: SIGNAL },
    },
  ]);
  expect(informer.told.map(({ metadata }) => metadata.resourceVersion)).toEqual(['2']);
});

test('H38: what is said already is not written, whatever the order of fields and conditions', async () => {
  const { sent, writer } = scene(() => widget());
  const [a, b] = [
    { type: 'A', status: 'True' },
    { type: 'B', status: 'False' },
  ];
  expect(await writer.write(widget({ size: 1, conditions: [a, b], free: undefined }), { conditions: [b, a], size: 1 }, SIGNAL)).toBe(false);
  expect(await writer.write(widget(), {}, SIGNAL)).toBe(false);
  expect(sent).toEqual([]);
});

test('H38: what others say in the same status is left alone, and is not a reason to write', async () => {
  const { sent, writer } = scene(({ status = {} }) => widget({ ...status, theirs: 'x' }, '2'));
  await writer.write(widget({ theirs: 'x' }), { size: 1 }, SIGNAL);
  expect(await writer.write(widget({ size: 1, theirs: 'x' }, '2'), { size: 1 }, SIGNAL)).toBe(false);
  expect(sent).toHaveLength(1);
  // They change what is ours: that is.
  await writer.write(widget({ size: 7, theirs: 'x' }, '3'), { size: 1 }, SIGNAL);
  expect(sent).toHaveLength(2);
  writer.forget('u');
  await writer.write(widget({ size: 1, theirs: 'x' }, '4'), { size: 1 }, SIGNAL);
  expect(sent).toHaveLength(3);
});

test('an object that has been deleted meanwhile has no status to be written; a resource that is not there is an error', async () => {
  const notFound = (details: object) =>
    new NotFoundError({
      request: 'a request',
      httpStatus: 404,
      status: { status: 'Failure', code: 404, reason: 'NotFound', details } as never,
    });
  let details: object = { name: 'w', kind: 'widgets' };
  const { informer, writer } = scene(() => {
    throw notFound(details);
  });
  expect(await writer.write(widget(), { size: 1 }, SIGNAL)).toBe(false);
  expect(await writer.write(widget(), { size: 1 }, SIGNAL, { unfit: [] })).toBe(false);
  expect(informer.told).toEqual([]);
  details = {};
  await expect(writer.write(widget(), { size: 1 }, SIGNAL)).rejects.toThrow(NotFoundError);
});

const conflict = (): never => {
  throw new ConflictError({ request: 'a request', httpStatus: 409, status: { status: 'Failure', code: 409, reason: 'Conflict' } as never });
};

test('after a conflict the object is read by a list of one, and the status goes upon its version', async () => {
  let tries = 0;
  const { sent, writer } = scene(
    ({ status = {} }) => (++tries === 1 ? conflict() : widget(status, '8')),
    () => widget({ size: 3 }, '7'),
  );
  expect(await writer.write(widget(), { size: 1 }, SIGNAL)).toBe(true);
  expect(sent).toMatchObject([
    { verb: 'apply', body: { metadata: { resourceVersion: '1' } } },
    { verb: 'list', options: { namespace: 'shop', fieldSelector: { 'metadata.name': 'w' } } },
    { verb: 'apply', body: { metadata: { uid: 'u', resourceVersion: '7' }, status: { size: 1 } } },
  ]);
});

test('a status whose answer was lost is not written again, and the cache has it', async () => {
  const { sent, informer, writer } = scene(conflict, () => widget({ size: 1 }, '2'));
  expect(await writer.write(widget(), { size: 1 }, SIGNAL)).toBe(true);
  expect(sent.map(({ verb }) => verb)).toEqual(['apply', 'list']);
  expect(informer.told.map(({ metadata }) => metadata.resourceVersion)).toEqual(['2']);
});

test('an object that others change between each read and write ends in the conflict, which the next run meets anew', async () => {
  const { sent, writer } = scene(conflict);
  await expect(writer.write(widget(), { size: 1 }, SIGNAL)).rejects.toThrow(ConflictError);
  expect(sent.filter(({ verb }) => verb === 'apply')).toHaveLength(5);
});

test('H51: a server that drops the status is told of, once', async () => {
  const { log, writer } = scene(() => widget(undefined, '1'));
  expect(await writer.write(widget(), { size: 1 }, SIGNAL)).toBe(false);
  await writer.write(widget(), { size: 2 }, SIGNAL);
  expect(log.texts).toEqual([
    'warn the API server drops the status of Widget: install the CRD of this release, whose status subresource is on',
  ]);
});

test('an object to which nothing can be applied gets its status merged, still by uid', async () => {
  const { sent, writer } = scene(({ status = {} }) => widget(status, '2'));
  await writer.write(widget(), { size: 1 }, SIGNAL, { unfit: [] });
  expect(sent).toMatchObject([{ verb: 'patch', body: { metadata: { uid: 'u', resourceVersion: '1' }, status: { size: 1 } } }]);
});

test('fields that do not fit the schema become what is desired, and nothing of what they had is left; the others are merged', async () => {
  const { sent, writer } = scene(({ status = {} }) => widget(status, '2'));
  const stored = { list: ['wrong'], map: { old: 1, deep: { gone: 1, kept: 1 } }, text: { no: 'text' }, removed: 'x', fits: 1 };
  const desired = { list: { now: 'a map' }, map: { deep: { kept: 2 }, added: [1] }, text: 'a text', fits: 2, added: { a: 1 } };
  await writer.write(widget(stored), desired, SIGNAL, { unfit: ['list', 'map', 'text', 'removed', 'added'] });
  expect(sent[0]?.body).toHaveProperty('status', {
    list: { now: 'a map' },
    map: { old: null, deep: { gone: null, kept: 2 }, added: [1] },
    text: 'a text',
    removed: null,
    fits: 2,
    added: { a: 1 },
  });
});

test('a status that is no object at all becomes what is desired', async () => {
  const { sent, writer } = scene(({ status = {} }) => widget(status, '2'));
  await writer.write(widget('text' as never), { size: 1 }, SIGNAL, { unfit: ['size'] });
  expect(sent).toMatchObject([{ verb: 'patch', body: { status: { size: 1 } } }]);
});

test('a merge does not remove the conditions of other controllers, unless the list itself does not fit', async () => {
  const others: ConstructorParameters<typeof Share>[1] = [
    {
      name: 'backup',
      writesStatus: true,
      statusShare: { summary: 'BackupsReady', neededForReady: false, conditions: [], fields: [] },
    } as never,
  ];
  const [mine, theirs] = [
    { type: 'Ready', status: 'True' },
    { type: 'BackupsReady', status: 'True' },
  ];
  const { sent, writer } = scene(({ status = {} }) => widget(status, '2'), undefined, new Share({}, others));
  await writer.write(widget({ conditions: [theirs] }), { conditions: [mine] }, SIGNAL, { unfit: [] });
  await writer.write(widget({ conditions: [theirs] }), { conditions: [mine] }, SIGNAL, { unfit: ['conditions'] });
  await writer.write(widget({ size: 1 }), { conditions: [mine] }, SIGNAL, { unfit: [] });
  expect(sent.map(({ body }) => (body as { status: { conditions: unknown } }).status.conditions)).toEqual([[theirs, mine], [mine], [mine]]);
});

test('an object without a namespace is written and read without one', async () => {
  const clusterWide = (): StoredObject =>
    ({ ...widget(), metadata: { name: 'w', uid: 'u', resourceVersion: '1' } }) as unknown as StoredObject;
  const { sent, writer } = scene(conflict, clusterWide);
  await expect(writer.write(clusterWide(), { size: 1 }, SIGNAL)).rejects.toThrow(ConflictError);
  await expect(writer.write(clusterWide(), { size: 1 }, SIGNAL, { unfit: [] })).rejects.toThrow(ConflictError);
  for (const { verb, key, options } of sent) {
    if (verb === 'list') expect(options).toEqual({ fieldSelector: { 'metadata.name': 'w' }, signal: SIGNAL });
    else expect(key).toEqual({ name: 'w' });
    expect(Object.keys((key ?? options) as object)).not.toContain('namespace');
  }
});

test('an object of another uid that has the name by now is not written to', async () => {
  const successor = { ...widget(undefined, '9'), metadata: { ...widget().metadata, uid: 'another', resourceVersion: '9' } } as StoredObject;
  const { sent, informer, writer } = scene(conflict, () => successor);
  expect(await writer.write(widget(), { size: 1 }, SIGNAL)).toBe(false);
  expect(sent.map(({ verb }) => verb)).toEqual(['apply', 'list']);
  expect(informer.told).toEqual([]);
});

test('the event of an own write that comes before its answer is no change by others', async () => {
  let answered = (_: StoredObject): void => undefined;
  const answers = [widget({ size: 1 }, '2'), new Promise<StoredObject>((resolve) => (answered = resolve))];
  const { writer, informer } = scene(() => answers.shift() as StoredObject);
  const hearsOf = (object: StoredObject): boolean => {
    informer.put(object);
    return writer.hears(object);
  };
  await writer.write(widget(), { size: 1 }, SIGNAL);
  const [theirs, own] = [widget({ size: 9 }, '3'), widget({ size: 2 }, '4')];
  expect(hearsOf(theirs)).toBe(true);
  const written = writer.write(theirs, { size: 2 }, SIGNAL);
  expect(hearsOf(own)).toBe(false);
  answered(own);
  await written;
  expect(hearsOf(own)).toBe(false);
});
