import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { journalText, TestCluster } from '@keelson/testing';
import { defineController, defineOperator, own, read, TerminalError } from 'keelson';
import { ConfigMap, Secret } from 'keelson/kinds';
import { Journal, RUN_CHANNEL, recordedHandle } from '../../../src/runtime/journal/index.js';
import { Website } from '../reconcile/website.js';

const started = (controller: string, object: string, at: number) => ({
  id: `${at}`,
  controller,
  kind: 'A',
  object,
  startedAt: new Date(at),
  triggers: [{ cause: 'object' as const }],
  queuedMs: 0,
  attempt: 1,
});

test('it keeps the last runs of each object, of the objects that ran last', () => {
  const journal = new Journal({ runs: 2, objects: 2 });
  for (let at = 0; at < 5; at += 1) journal.begin(started('c', 'a', at)).end({ result: 'success', tookMs: 1 });
  expect(journal.runs().map(({ id }) => id)).toEqual(['3', '4']);
  journal.begin(started('c', 'b', 5));
  journal.begin(started('c', 'a', 6));
  journal.begin(started('c', 'd', 7));
  expect(journal.runs().map(({ object, id }) => `${object}${id}`)).toEqual(['a4', 'a6', 'd7']);
  expect(journal.runs({ object: 'd' })).toHaveLength(1);
  expect(journal.runs({ controller: 'x' })).toEqual([]);
});

test('a run that reads and writes much is cut, and nothing is kept after its end', () => {
  const record = new Journal().begin(started('c', 'a', 1));
  for (let index = 0; index < 60; index += 1) record.read({ kind: 'A', verb: 'get', from: 'cache', object: `${index}` });
  record.end({ result: 'error', tookMs: 1, error: new Error('Authorization: Bearer abcdefghijkl') });
  record.wrote({ kind: 'A', verb: 'create', object: 'late', changes: [] });
  const { reads, writes, left, outcome } = record.run;
  expect([reads.length, writes.length, left]).toEqual([50, 0, 10]);
  expect(outcome?.error).not.toContain('abcdefghijkl');
});

test('writes beyond the first fifty are counted too, and the longest error is cut', () => {
  const record = new Journal().begin(started('c', 'a', 1));
  for (let index = 0; index < 51; index += 1) record.wrote({ kind: 'A', verb: 'create', object: `${index}`, changes: [] });
  record.read({ kind: 'A', verb: 'get', from: 'cache', object: 'b' });
  record.end({ result: 'error', tookMs: 1, error: new Error('x'.repeat(5_000)) });
  expect([record.run.writes.length, record.run.reads.length, record.run.left]).toEqual([50, 1, 1]);
  expect(record.run.outcome).toEqual({ result: 'error', tookMs: 1, error: 'x'.repeat(1_000) });
});

test('what is picked is picked by all that is given, in the order in which runs began', () => {
  const journal = new Journal();
  for (const [controller, object, at] of [
    ['c', 'a', 3],
    ['c', 'b', 1],
    ['d', 'a', 2],
  ] as const)
    journal.begin(started(controller, object, at));
  const ids = (filter?: Parameters<Journal['runs']>[0]) => journal.runs(filter).map(({ id }) => id);
  expect([ids(), ids({ controller: 'c' }), ids({ object: 'a' }), ids({ controller: 'c', object: 'a' })]).toEqual([
    ['1', '2', '3'],
    ['1', '3'],
    ['2', '3'],
    ['3'],
  ]);
  expect([ids({ kind: 'A' }).length, ids({ kind: 'B' })]).toEqual([3, []]);
});

test('if nothing else is asked for it keeps ten runs of a thousand objects', () => {
  const journal = new Journal();
  for (let index = 0; index < 1_001; index += 1) journal.begin(started('c', `o${index}`, index));
  for (let at = 2_000; at < 2_011; at += 1) journal.begin(started('c', 'o5', at));
  expect([journal.runs({ object: 'o0' }).length, journal.runs({ object: 'o1' }).length, journal.runs({ object: 'o5' }).length]).toEqual([
    0, 1, 10,
  ]);
});

test('the record of a run is known within it, also after a pause, and not beside it', async () => {
  const journal = new Journal();
  const record = journal.begin(started('c', 'a', 1));
  const seen = await journal.within(record, async () => {
    await Promise.resolve();
    return journal.current;
  });
  expect([seen, journal.current]).toEqual([record, undefined]);
});

test('each run that has ended is told to whoever listens in the process', () => {
  const told: unknown[] = [];
  const listen = (run: unknown): void => void told.push(run);
  const record = new Journal().begin(started('c', 'a', 1));
  subscribe(RUN_CHANNEL, listen);
  record.end({ result: 'success', tookMs: 1 });
  unsubscribe(RUN_CHANNEL, listen);
  expect(told).toEqual([record.run]);
  expect(record.run.outcome).toEqual({ result: 'success', tookMs: 1 });
});

test('reads of the cache are kept with the handle that was asked', () => {
  const record = new Journal().begin(started('c', 'a', 1));
  const found = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', namespace: 'shop', uid: 'u', resourceVersion: '7' } };
  const node = { ...found, metadata: { name: 'n', uid: 'u', resourceVersion: '8' } };
  const all: Record<string, object> = { m: found, n: node };
  const handle = recordedHandle(
    { get: (key: string | { name: string }) => all[typeof key === 'string' ? key : key.name], list: () => [found, node], extra: 1 },
    { name: 'configs', kind: 'ConfigMap', record },
  ) as { get(key: unknown): unknown; list(): unknown[]; readonly extra: number };
  expect([handle.get('m'), handle.get({ name: 'n' }), handle.get('x'), handle.get({ name: 'y', namespace: 'shop' })]).toEqual([
    found,
    node,
    undefined,
    undefined,
  ]);
  expect([handle.list(), handle.extra]).toEqual([[found, node], 1]);
  const read = { handle: 'configs', kind: 'ConfigMap', from: 'cache' };
  expect(record.run.reads).toEqual([
    { ...read, verb: 'get', object: 'shop/m', version: '7' },
    { ...read, verb: 'get', object: 'n', version: '8' },
    { ...read, verb: 'get', object: 'x' },
    { ...read, verb: 'get', object: 'y' },
    { ...read, verb: 'list', count: 2 },
  ]);
});

test('an operator tells why it ran, what it read and wrote, and how it ended', async () => {
  const controller = defineController({
    name: 'website',
    for: Website,
    owns: { configs: ConfigMap, extras: own(Secret, { verbs: ['create'] }) },
    reads: { secrets: read(Secret, { verbs: ['get'] }) },
    async reconcile({ object: { metadata, spec }, configs, secrets, extras, done }) {
      configs.get(metadata.name);
      if ((await secrets.get('pass')) === undefined)
        await extras.create(Secret({ metadata: { name: 'pass' }, stringData: { pass: 'hunter2hunter2' } }));
      if (spec.replicas === 7) throw new TerminalError('seven is too many');
      return done({ owned: { configs: [ConfigMap({ metadata: { name: metadata.name }, data: { replicas: String(spec.replicas) } })] } });
    },
  });
  const operator = defineOperator({ name: 'website-operator', controllers: [controller] });
  const cluster = await TestCluster.start({ operator });
  const running = await cluster.startOperator({ settings: { metrics: { port: 0, secure: true } } });
  const site = (replicas: number) => Website({ metadata: { name: 'a' }, spec: { replicas } });
  await cluster.create(Website, site(2));
  await cluster.until(ConfigMap, 'a', 'present');
  await cluster.settled();

  const [first] = cluster.journal(Website, 'a');
  expect(first).toMatchObject({
    controller: 'website',
    kind: 'Website',
    object: 'default/a',
    attempt: 1,
    triggers: [{ cause: 'object' }],
    reads: [
      { handle: 'configs', kind: 'ConfigMap', verb: 'get', from: 'cache', object: 'a' },
      { kind: 'Secret', verb: 'get', from: 'server', object: 'default/pass' },
    ],
    outcome: { result: 'success' },
  });
  expect(first?.writes.map(({ verb, kind, object, subresource = '' }) => `${verb} ${kind} ${object} ${subresource}`)).toEqual([
    'create Secret default/pass ',
    'apply ConfigMap default/a ',
    'apply Website default/a status',
  ]);
  expect(first?.writes[1]?.changes).toContain('+ data.replicas: "2"');

  await cluster.patch(Website, 'a', { type: 'merge', body: { spec: { replicas: 3 } } } as never);
  await cluster.until(ConfigMap, 'a', { data: { replicas: '3' } });
  await cluster.settled();
  const changed = cluster.journal(Website, 'a').flatMap(({ writes }) => writes.flatMap(({ changes }) => changes));
  expect(changed).toContain('data.replicas: "2" → "3"');

  await cluster.patch(Website, 'a', { type: 'merge', body: { spec: { replicas: 7 } } } as never);
  await cluster.until(() => expect(cluster.journal(Website, 'a').at(-1)?.outcome?.result).toBe('terminal'));
  const text = journalText(cluster.journal(Website, 'a'));
  expect(text).toContain('because of object; queued ');
  expect(text).toContain('terminal after ');
  expect(text).toContain(': seven is too many');
  expect(text).not.toContain('hunter2');
  expect(running.journal({ controller: 'other' })).toEqual([]);
  await cluster.close();
});

test('without a journal none is told', async () => {
  const controller = defineController({ name: 'website', for: Website, reconcile: ({ done }) => done() });
  const cluster = await TestCluster.start({ operator: defineOperator({ name: 'website-operator', controllers: [controller] }) });
  const running = await cluster.startOperator({ journal: false });
  expect(() => running.journal()).toThrow('no journal is kept; start with { journal: true }');
  await cluster.close();
});
