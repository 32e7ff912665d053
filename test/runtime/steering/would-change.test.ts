import type { JournalWrite } from '../../../src/runtime/journal/index.js';
import { withheldBy } from '../../../src/runtime/steering/index.js';

const write = (more: Partial<JournalWrite>): JournalWrite => ({ kind: 'ConfigMap', verb: 'apply', object: 'shop/a', changes: [], ...more });
const message = (writes: readonly JournalWrite[], error?: Error, left = 0): string => withheldBy({ writes, left }, error).message;

test('a run whose writes change nothing would write nothing', () => {
  expect(withheldBy({ writes: [write({})], left: 0 })).toEqual({ wouldChange: false, message: 'the run would write nothing' });
});

test('every write is named with its fields, a deletion without, and those that no record kept are counted', () => {
  const writes = [write({ changes: ['data.a: "1" → "2"', '+ data.b: "3"'] }), write({ verb: 'delete', kind: 'Service' })];
  expect(message(writes, undefined, 3)).toBe(
    'the run would make 5 writes: apply ConfigMap shop/a (data.a: "1" → "2", + data.b: "3"); delete Service shop/a',
  );
});

test('conditions of the runtime and times are no change: each run would show another one', () => {
  const changes = [
    '- status.conditions[WouldChange].reason: "Observed"',
    '- status.conditions[Paused].reason: "PausedByAnnotation"',
    'status.conditions[Ready].lastTransitionTime: "2026-01-01T00:00:00Z" → "2026-01-02T00:00:00Z"',
  ];
  expect(message([write({ kind: 'Website', subresource: 'status', changes })])).toBe('the run would write nothing');
});

test('a run that failed says how, and what it would have written until then, but not the failure a second time', () => {
  const status = write({ kind: 'Website', subresource: 'status', changes: ['+ status.conditions[Ready].status: "False"'] });
  const refused = write({ verb: 'create', changes: ['+ data.a: "1"'], error: 'it exists' });
  expect(withheldBy({ writes: [refused, status], left: 0 }, new Error('it fails'))).toEqual({
    wouldChange: undefined,
    message: 'the run failed: it fails',
  });
  expect(message([write({ verb: 'delete' }), status], new Error('it fails'))).toBe(
    'the run failed: it fails; before that the run would make 1 write: delete ConfigMap shop/a',
  );
});
