import { defineController, defineOperator, own, read, TerminalError } from 'keelson';
import { ConfigMap, Secret } from 'keelson/kinds';
import { journalText, TestCluster } from 'keelson/testing';
import { Journal } from '../../../src/runtime/journal/index.js';
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
