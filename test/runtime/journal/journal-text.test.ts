import { type JournalRun, journalText } from '../../../src/runtime/journal/index.js';

const run = (more: Partial<JournalRun> = {}): JournalRun => ({
  id: 'r1',
  controller: 'website',
  kind: 'Website',
  object: 'shop/a',
  startedAt: new Date('2030-01-01T00:00:00Z'),
  triggers: [{ cause: 'object' }],
  queuedMs: 1.6,
  attempt: 1,
  reads: [],
  writes: [],
  left: 0,
  outcome: { result: 'success', tookMs: 12.4 },
  ...more,
});
const linesOf = (more: Partial<JournalRun>): readonly string[] =>
  journalText([run(more)])
    .split('\n')
    .slice(1);

test('a run says who ran for what, why, and how it ended', () => {
  expect(journalText([run()])).toBe(
    ['2030-01-01T00:00:00.000Z website: Website shop/a (r1)', '  because of object; queued 2 ms', '  success after 12 ms'].join('\n'),
  );
  expect(
    journalText([run({ version: '7' }), run()])
      .split('\n')
      .filter((line) => line.startsWith('2030')),
  ).toEqual(['2030-01-01T00:00:00.000Z website: Website shop/a at 7 (r1)', '2030-01-01T00:00:00.000Z website: Website shop/a (r1)']);
  expect(journalText([])).toBe('');
});

test('each cause is named with what it is about', () => {
  const triggers: JournalRun['triggers'] = [
    { cause: 'owned', handle: 'configs', object: { kind: 'ConfigMap', namespace: 'shop', name: 'c' } },
    { cause: 'watched', handle: 'nodes', object: { kind: 'Node', name: 'n' } },
    { cause: 'observed', name: 'members' },
    { cause: 'background', name: 'snapshot' },
    { cause: 'object' },
  ] as unknown as JournalRun['triggers'];
  expect(linesOf({ triggers })[0]).toBe(
    '  because of owned configs shop/c, watched nodes n, observed members, background snapshot, object; queued 2 ms',
  );
});

test('a later attempt is told', () => {
  expect(linesOf({ attempt: 2 })[0]).toBe('  because of object; queued 2 ms, attempt 2');
});

test('reads say where they came from, and who asked', () => {
  const reads: JournalRun['reads'] = [
    { handle: 'configs', kind: 'ConfigMap', verb: 'get', from: 'cache', object: 'shop/c', version: '5' },
    { kind: 'Secret', verb: 'get', from: 'server', object: 'shop/s' },
    { handle: 'pods', kind: 'Pod', verb: 'list', from: 'cache', count: 3 },
  ];
  expect(linesOf({ reads }).slice(1, -1)).toEqual([
    '  read ConfigMap shop/c at 5 from the cache by configs',
    '  read Secret shop/s which is not there from the server',
    '  read 3 of Pod from the cache by pods',
  ]);
});

test('writes say what differs, or that nothing does, and what was refused', () => {
  const writes: JournalRun['writes'] = [
    { kind: 'ConfigMap', verb: 'apply', object: 'shop/c', changes: ['data.a: "1" → "2"'] },
    { kind: 'ConfigMap', verb: 'apply', object: 'shop/d', changes: [] },
    { kind: 'Website', verb: 'patch', subresource: 'status', object: 'shop/a', changes: [], isDryRun: true },
    { kind: 'Pod', verb: 'delete', object: 'shop/p', changes: [] },
    { kind: 'Pod', verb: 'create', object: 'shop/q', changes: [], error: 'no room' },
  ];
  expect(linesOf({ writes, left: 4 }).slice(1, -1)).toEqual([
    '  apply ConfigMap shop/c',
    '      data.a: "1" → "2"',
    '  apply ConfigMap shop/d: nothing differs',
    '  patch Website/status shop/a (dry run): nothing differs',
    '  delete Pod shop/p',
    '  create Pod shop/q was refused: no room',
    '  … 4 more reads and writes',
  ]);
});

test('a run that goes on says so, and one that failed says why and when the next one is', () => {
  const { outcome: _, ...running } = run();
  expect(journalText([running]).split('\n').at(-1)).toBe('  runs still');
  expect(linesOf({ outcome: { result: 'requeue_after', tookMs: 1.5, nextInMs: 29_600 } }).at(-1)).toBe(
    '  requeue_after after 2 ms; the next run is planned in 30 s',
  );
  expect(linesOf({ outcome: { result: 'error', tookMs: 1, error: 'no room' } }).at(-1)).toBe('  error after 1 ms: no room');
});
