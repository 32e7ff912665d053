import { ConfigMap, Pod } from 'keelson/kinds';
import type { StoredObject } from '../../../src/runtime/cache/index.js';
import type { ApiClient } from '../../../src/runtime/client/index.js';
import { Journal, recordingClient } from '../../../src/runtime/journal/index.js';

const stored = (data: Readonly<Record<string, string>>, more: object = {}): StoredObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'shop', uid: 'u', resourceVersion: '7', ...more },
    data,
  }) as StoredObject;
const KEY = { namespace: 'shop', name: 'a' };

/** A client whose methods say what they were given, and answer as the test likes. */
function scene(answers: Readonly<Record<string, unknown>> = {}, known: StoredObject | undefined = undefined) {
  const journal = new Journal();
  const record = journal.begin({
    id: '1',
    controller: 'c',
    kind: 'A',
    object: 'shop/a',
    startedAt: new Date(0),
    triggers: [],
    queuedMs: 0,
    attempt: 1,
  });
  const given: unknown[][] = [];
  const method =
    (name: string) =>
    async (...all: unknown[]): Promise<unknown> => {
      given.push([name, ...all]);
      const answer = answers[name];
      if (answer instanceof Error) throw answer;
      return answer;
    };
  const part = (name: string): object => ({
    ...Object.fromEntries(['create', 'update', 'patch', 'apply', 'get'].map((verb) => [verb, method(`${name}.${verb}`)])),
    name,
  });
  const methods = Object.fromEntries(
    ['get', 'list', 'listAll', 'create', 'update', 'apply', 'patch', 'delete', 'watch'].map((name) => [name, method(name)]),
  );
  const plain: Record<string, unknown> = {
    ...methods,
    transport: 'the transport',
    status: () => part('status'),
    scale: () => part('scale'),
    subresource: (_: unknown, name: string) => part(name),
    with: () => plain,
  };
  const asked: object[] = [];
  const client = recordingClient(plain as unknown as ApiClient, journal, (_, key) => {
    asked.push(key);
    return known;
  }) as unknown as Record<string, (...all: unknown[]) => Promise<unknown>>;
  const within = <T>(act: () => T): T => journal.within(record, act);
  return { client, plain, record, given, asked, within };
}

test('reads of lists are kept with the count of what was found', async () => {
  const { client, record, given, within } = scene({ list: { items: [1, 2, 3] }, listAll: { items: [] } });
  expect(await within(() => client['list']?.(ConfigMap, { namespace: 'shop' }))).toEqual({ items: [1, 2, 3] });
  await within(() => client['listAll']?.(Pod, { limit: 5 }));
  expect(record.run.reads).toEqual([
    { kind: 'ConfigMap', verb: 'list', from: 'server', count: 3 },
    { kind: 'Pod', verb: 'list', from: 'server', count: 0 },
  ]);
  expect(given).toEqual([
    ['list', ConfigMap, { namespace: 'shop' }],
    ['listAll', Pod, { limit: 5 }],
  ]);
});

test('reads of one object are kept with its version, or without one if it is not there', async () => {
  const found = scene({ get: stored({}) });
  expect(await found.within(() => found.client['get']?.(ConfigMap, KEY))).toEqual(stored({}));
  const missing = scene({ get: new Error('not found') });
  await expect(missing.within(() => missing.client['get']?.(ConfigMap, { name: 'node' }))).rejects.toThrow('not found');
  expect([found.record.run.reads, missing.record.run.reads]).toEqual([
    [{ kind: 'ConfigMap', verb: 'get', from: 'server', object: 'shop/a', version: '7' }],
    [{ kind: 'ConfigMap', verb: 'get', from: 'server', object: 'node' }],
  ]);
});

test.each(['create', 'update', 'apply', 'patch'])(
  'a write by %s is kept with what differs from the object that was known',
  async (verb) => {
    const { client, record, within, asked } = scene({ [verb]: stored({ a: '2' }) }, stored({ a: '1' }));
    const target = verb === 'patch' ? KEY : stored({ a: '2' });
    await within(() => client[verb]?.(ConfigMap, target, { body: { data: { a: '2' } } }));
    expect(record.run.writes).toEqual([{ kind: 'ConfigMap', verb, object: 'shop/a', changes: ['data.a: "1" → "2"'] }]);
    expect(asked).toMatchObject([KEY]);
  },
);

test('where nothing is known, or another object had the name, the fields that were sent are kept', async () => {
  const unknown = scene({ patch: stored({ a: '2', b: '3' }) });
  const other = scene({ patch: stored({ a: '2', b: '3' }) }, stored({ a: '1' }, { uid: 'another' }));
  const silent = scene({ patch: undefined }, stored({ a: '1' }));
  for (const { client, within } of [unknown, other, silent])
    await within(() => client['patch']?.(ConfigMap, KEY, { body: { data: { a: '2' } } }));
  for (const { record } of [unknown, other, silent])
    expect(record.run.writes).toMatchObject([{ object: 'shop/a', changes: ['+ data.a: "2"'] }]);
});

test('a deletion sets no field', async () => {
  const gone = scene({ delete: stored({ a: '1' }) }, stored({ a: '1' }));
  await gone.within(() => gone.client['delete']?.(ConfigMap, KEY, { preconditions: { uid: 'u' } }));
  const refused = scene({ delete: new Error('it is protected') }, stored({ a: '1' }));
  await expect(refused.within(() => refused.client['delete']?.(ConfigMap, KEY))).rejects.toThrow('it is protected');
  expect([gone.record.run.writes, refused.record.run.writes]).toEqual([
    [{ kind: 'ConfigMap', verb: 'delete', object: 'shop/a', changes: [] }],
    [{ kind: 'ConfigMap', verb: 'delete', object: 'shop/a', changes: [], error: 'it is protected' }],
  ]);
});

test('a write that is refused is kept with the fields that it would have set', async () => {
  const { client, record, within } = scene({ create: new Error('it is not valid') });
  await expect(within(() => client['create']?.(ConfigMap, stored({ a: '1' })))).rejects.toThrow('it is not valid');
  expect(record.run.writes).toMatchObject([{ verb: 'create', object: 'shop/a', error: 'it is not valid' }]);
  expect(record.run.writes[0]?.changes).toContain('+ data.a: "1"');
});

test('an object whose name the server makes is kept under that', async () => {
  const { client, record, within, asked } = scene({ create: stored({ a: '1' }, { name: 'job-x7f' }) });
  await within(() => client['create']?.(ConfigMap, { metadata: { generateName: 'job-', namespace: 'shop' }, data: { a: '1' } }));
  expect(record.run.writes).toMatchObject([{ object: 'shop/job-x7f', changes: expect.arrayContaining(['+ data.a: "1"']) as unknown }]);
  expect(asked).toEqual([]);
});

test.each(['create', 'update', 'apply', 'delete', 'patch'])('a dry run of %s is one, and no other call is', async (verb) => {
  const { client, record, within } = scene({ [verb]: stored({}) });
  const target = verb === 'patch' || verb === 'delete' ? KEY : stored({});
  const rest = verb === 'patch' ? [{ body: {} }] : [];
  await within(() => client[verb]?.(ConfigMap, target, ...rest, { dryRun: true }));
  for (const options of [{ dryRun: false }, {}, undefined, null]) await within(() => client[verb]?.(ConfigMap, target, ...rest, options));
  expect(record.run.writes.map(({ isDryRun }) => isDryRun)).toEqual([true, undefined, undefined, undefined, undefined]);
});

test.each([
  ['status', 'create'],
  ['status', 'update'],
  ['status', 'patch'],
  ['status', 'apply'],
  ['scale', 'patch'],
  ['eviction', 'create'],
])('a write of %s by %s is kept as one of the subresource', async (subresource, verb) => {
  const { client, record, given, within } = scene({ [`${subresource}.${verb}`]: stored({ a: '2' }) }, stored({ a: '1' }));
  const part = (subresource === 'eviction' ? client['subresource']?.(Pod, 'eviction') : client[subresource]?.(Pod)) as unknown as Record<
    string,
    (...all: unknown[]) => unknown
  >;
  const sent = verb === 'patch' ? { body: { data: { a: '2' } } } : { data: { a: '2' } };
  await within(() => part[verb]?.(KEY, sent, { dryRun: true }));
  expect(record.run.writes).toEqual([{ kind: 'Pod', verb, subresource, object: 'shop/a', changes: ['data.a: "1" → "2"'], isDryRun: true }]);
  expect(given).toEqual([[`${subresource}.${verb}`, KEY, sent, { dryRun: true }]]);
});

test('the fields of a patch of a subresource that is refused are kept', async () => {
  const { client, record, within } = scene({ 'status.patch': new Error('it has changed') });
  const status = client['status']?.(Pod) as unknown as Record<string, (...all: unknown[]) => unknown>;
  await expect(within(() => status['patch']?.(KEY, { body: { status: { phase: 'Running' } } }))).rejects.toThrow('it has changed');
  expect(record.run.writes).toMatchObject([{ subresource: 'status', changes: ['+ status.phase: "Running"'], error: 'it has changed' }]);
});

test('a read of a subresource, and what is no method of it, are as they were', async () => {
  const { client, record, within } = scene({ 'status.get': 'the status' });
  const status = client['status']?.(Pod) as unknown as { get(): Promise<unknown>; readonly name: string };
  expect([await within(() => status.get()), status.name]).toEqual(['the status', 'status']);
  expect([record.run.reads, record.run.writes]).toEqual([[], []]);
});

test('beside runs nothing is kept, and the client is as it was', async () => {
  const { client, plain, record, asked } = scene({ get: stored({}), list: { items: [] }, create: stored({}) });
  await client['get']?.(ConfigMap, KEY);
  await client['list']?.(ConfigMap);
  await client['create']?.(ConfigMap, stored({}));
  await client['watch']?.(ConfigMap);
  expect([record.run.reads, record.run.writes, asked]).toEqual([[], [], []]);
  expect(client['transport']).toBe(plain['transport']);
});

test('a client with other defaults records too', async () => {
  const { client, record, within } = scene({ create: stored({}) });
  const other = (client['with'] as unknown as (defaults: object) => typeof client)({ fieldManager: 'x' });
  await within(() => other['create']?.(ConfigMap, stored({})));
  expect(record.run.writes).toHaveLength(1);
});
