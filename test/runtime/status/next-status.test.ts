import { nextStatus, type StatusFields, type StatusQuestion } from '../../../src/runtime/status/index.js';

const FORM = { hasConditions: true, hasObservedGeneration: true };
const EARLIER = '2030-01-01T00:00:00Z';
const LATER = '2030-01-01T01:00:00Z';

function next(question: Partial<StatusQuestion> = {}): StatusFields {
  return nextStatus({ form: FORM, previous: undefined, generation: 1, now: new Date(LATER), verdict: { type: 'reconciled' }, ...question });
}

const ready = (more: object = {}) => ({
  type: 'Ready',
  status: 'True',
  reason: 'Reconciled',
  message: '',
  lastTransitionTime: EARLIER,
  observedGeneration: 1,
  ...more,
});
const FAILED = { type: 'unfinished', reason: 'ReconcileFailed', message: 'the disk is full' } as const;

test('a reconciled object is Ready and says of which generation', () => {
  expect(next()).toEqual({ observedGeneration: 1, conditions: [ready({ lastTransitionTime: LATER })] });
});

test('H38: nothing differs when nothing has changed, however late it is', () => {
  const once = next({ status: { size: 1 }, now: new Date(EARLIER) });
  expect(next({ previous: once, status: { size: 1 } })).toEqual(once);
});

test('H38: lastTransitionTime moves with the status of a condition alone; reason, message and generation move by themselves', () => {
  const previous = {
    conditions: [{ type: 'Web', status: 'False', reason: 'A', message: 'a', lastTransitionTime: EARLIER, observedGeneration: 1 }],
  };
  const [same] = next({ previous, generation: 2, conditions: [{ type: 'Web', status: false, reason: 'B', message: 'b' }] })[
    'conditions'
  ] as object[];
  expect(same).toEqual({ type: 'Web', status: 'False', reason: 'B', message: 'b', lastTransitionTime: EARLIER, observedGeneration: 2 });
  const [flipped] = next({ previous, conditions: [{ type: 'Web', status: 'Unknown', reason: 'B' }] })['conditions'] as object[];
  expect(flipped).toEqual({ type: 'Web', status: 'Unknown', reason: 'B', message: '', lastTransitionTime: LATER, observedGeneration: 1 });
});

test('an error says that it is not ready, leaves what was said, and observes no generation', () => {
  const previous = { size: 1, observedGeneration: 1, conditions: [ready()] };
  expect(next({ previous, generation: 2, verdict: FAILED })).toEqual({
    size: 1,
    observedGeneration: 1,
    conditions: [
      {
        type: 'Ready',
        status: 'False',
        reason: 'ReconcileFailed',
        message: 'the disk is full',
        lastTransitionTime: LATER,
        observedGeneration: 2,
      },
      {
        type: 'Reconciling',
        status: 'True',
        reason: 'ReconcileFailed',
        message: 'the disk is full',
        lastTransitionTime: LATER,
        observedGeneration: 2,
      },
    ],
  });
});

test('what the reconciler says of Ready stays through an error: it knows better', () => {
  const own = ready({ reason: 'PodsReady' });
  const failed = next({ previous: { conditions: [own] }, verdict: FAILED });
  expect((failed['conditions'] as { type: string }[]).map(({ type }) => type)).toEqual(['Ready', 'Reconciling']);
  expect((failed['conditions'] as object[])[0]).toEqual(own);
  const after = next({ previous: failed, conditions: [{ type: 'Ready', status: true, reason: 'PodsReady' }] });
  expect(after['conditions']).toEqual([own]);
});

test('kstatus: stalled while trying again is pointless, and neither Stalled nor Reconciling once all is well', () => {
  const stalled = next({ verdict: { type: 'stalled', reason: 'TerminalError', message: 'no' } });
  expect(stalled).toMatchObject({
    observedGeneration: 1,
    conditions: [
      { type: 'Ready', status: 'False' },
      { type: 'Stalled', status: 'True' },
    ],
  });
  expect(next({ previous: stalled })).toMatchObject({ conditions: [{ type: 'Ready', status: 'True' }] });
  expect(next({ previous: stalled })['conditions']).toHaveLength(1);
});

test('a condition that is stated no longer is gone; the first statement of none, too', () => {
  const previous = next({ conditions: [{ type: 'Web', status: true, reason: 'Up' }] });
  expect((next({ previous, conditions: [] })['conditions'] as { type: string }[]).map(({ type }) => type)).toEqual(['Ready']);
});

test('what finalize tells stands beside what was said, and the framework claims nothing of an object that is going', () => {
  const verdict = { type: 'finalizing' } as const;
  const degraded = { type: 'Degraded', status: 'Unknown', reason: 'Finalizing' } as const;
  const own = ready({ reason: 'PodsReady' });
  const previous = { observedGeneration: 1, size: 3, conditions: [own, { ...own, type: 'Stalled', reason: 'TerminalError' }] };
  const told = next({ previous, verdict, generation: 2, now: new Date(EARLIER), conditions: [degraded] });
  expect(told).toEqual({
    observedGeneration: 1,
    size: 3,
    conditions: [own, { ...degraded, message: '', lastTransitionTime: EARLIER, observedGeneration: 2 }],
  });
  const clean = next({ previous: told, verdict, generation: 2, conditions: [{ ...degraded, status: true }] });
  expect((clean['conditions'] as object[]).slice(1)).toMatchObject([{ type: 'Degraded', status: 'True', lastTransitionTime: LATER }]);
  const form = { hasConditions: false, hasObservedGeneration: false };
  const foreign = next({ form, previous: { conditions: [own] }, verdict, conditions: [degraded] });
  expect((foreign['conditions'] as { type: string }[]).map(({ type }) => type)).toEqual(['Ready', 'Degraded']);
});

test('conditions and fields that nobody restates stay', () => {
  const previous = { size: 3, conditions: [{ ...ready(), type: 'Foreign' }] };
  expect(next({ previous })).toMatchObject({ size: 3, conditions: [{ type: 'Foreign' }, { type: 'Ready' }] });
});

test('a kind without conditions in its status gets none of the framework', () => {
  const form = { hasConditions: false, hasObservedGeneration: false };
  expect(next({ form, status: { phase: 'Up' } })).toEqual({ phase: 'Up' });
  expect(next({ form, verdict: FAILED })).toEqual({});
  expect(next({ form, conditions: [{ type: 'A', status: true, reason: 'B' }] })['conditions']).toHaveLength(1);
});

test('an endless message is cut', () => {
  const { conditions } = next({ verdict: { ...FAILED, message: 'x'.repeat(100_000) } }) as { conditions: { message: string }[] };
  expect(conditions[0]?.message).toHaveLength(2_000);
});
