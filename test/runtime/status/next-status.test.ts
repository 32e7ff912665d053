import { nextStatus, type StatusFields, type StatusQuestion } from '../../../src/runtime/status/index.js';

const FORM = { hasConditions: true, hasObservedGeneration: true, summary: 'Ready' };
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

test.each<[string, Partial<StatusQuestion>]>([
  ['a few retries have failed', { verdict: { ...FAILED, isLasting: true } }],
  ['it is about an older generation', { verdict: FAILED, generation: 2 }],
  ['it is about an older generation, and the run waits', { verdict: { ...FAILED, reason: 'Waiting' }, generation: 2 }],
])('Ready is not True beside an unfinished run when %s; the next good run has the last word', (_, question) => {
  const own = ready({ reason: 'PodsReady' });
  const failed = next({ previous: { conditions: [own] }, ...question });
  const { reason, message } = question.verdict as typeof FAILED;
  expect(failed['conditions']).toMatchObject([
    { type: 'Ready', status: 'False', reason, message, lastTransitionTime: LATER },
    { type: 'Reconciling', status: 'True' },
  ]);
  expect(
    next({ previous: failed, ...question, conditions: [{ type: 'Ready', status: true, reason: 'PodsReady' }] })['conditions'],
  ).toMatchObject([
    { type: 'Ready', status: 'True', reason: 'PodsReady' },
    { type: 'Reconciling', status: 'True' },
  ]);
  const after = next({ previous: failed, generation: 2, conditions: [{ type: 'Ready', status: true, reason: 'PodsReady' }] });
  expect(after['conditions']).toMatchObject([{ type: 'Ready', status: 'True', reason: 'PodsReady' }]);
  expect(after['conditions']).toHaveLength(1);
});

test('a Ready that says False keeps its own words, however long runs fail', () => {
  const own = ready({ status: 'False', reason: 'NoPods' });
  const failed = next({ previous: { conditions: [own] }, verdict: { ...FAILED, isLasting: true } });
  expect(failed['conditions']).toMatchObject([own, { type: 'Reconciling' }]);
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
  const form = { hasConditions: false, hasObservedGeneration: false, summary: 'Ready' };
  const foreign = next({ form, previous: { conditions: [own] }, verdict, conditions: [degraded] });
  expect((foreign['conditions'] as { type: string }[]).map(({ type }) => type)).toEqual(['Ready', 'Degraded']);
});

test('conditions and fields that nobody restates stay', () => {
  const previous = { size: 3, conditions: [{ ...ready(), type: 'Foreign' }] };
  expect(next({ previous })).toMatchObject({ size: 3, conditions: [{ type: 'Foreign' }, { type: 'Ready' }] });
});

test('a kind without conditions in its status gets none of the framework', () => {
  const form = { hasConditions: false, hasObservedGeneration: false, summary: 'Ready' };
  expect(next({ form, status: { phase: 'Up' } })).toEqual({ phase: 'Up' });
  expect(next({ form, verdict: FAILED })).toEqual({});
  expect(next({ form, conditions: [{ type: 'A', status: true, reason: 'B' }] })['conditions']).toHaveLength(1);
});

test('a stated Ready and the end of the run are one condition, not two of a type, which the API server refuses', () => {
  const verdict = { type: 'stalled', reason: 'TerminalError', message: 'no such disk' } as const;
  const { conditions } = next({ verdict, conditions: [{ type: 'Ready', status: true, reason: 'PodsReady' }] }) as { conditions: object[] };
  expect(conditions).toMatchObject([{ type: 'Ready', status: 'False' }, { type: 'Stalled' }]);
});

describe('a share of the status', () => {
  const share = { hasConditions: true, hasObservedGeneration: false, summary: 'BackupsReady' };
  const conditionsOf = (question: Partial<StatusQuestion>) => next({ form: share, ...question })['conditions'];

  test('has its summary in place of Ready, Reconciling and Stalled', () => {
    expect(conditionsOf({})).toMatchObject([{ type: 'BackupsReady', status: 'True', reason: 'Reconciled' }]);
    expect(conditionsOf({ verdict: FAILED })).toMatchObject([
      { type: 'BackupsReady', status: 'False', reason: 'ReconcileFailed', message: 'the disk is full' },
    ]);
    const stalled = { type: 'stalled', reason: 'TerminalError', message: 'no such bucket' } as const;
    expect(conditionsOf({ verdict: stalled })).toMatchObject([{ type: 'BackupsReady', status: 'False', reason: 'TerminalError' }]);
    expect(next({ form: share })).not.toHaveProperty('observedGeneration');
  });

  test('shows an error although the reconciler has said before that all is well; what it says of the error itself stands', () => {
    const said = { type: 'BackupsReady', status: true, reason: 'Saved' } as const;
    const previous = next({ form: share, conditions: [said] });
    expect(conditionsOf({ previous, verdict: FAILED })).toMatchObject([{ status: 'False', reason: 'ReconcileFailed' }]);
    expect(conditionsOf({ verdict: FAILED, conditions: [said] })).toMatchObject([{ status: 'False', reason: 'ReconcileFailed' }]);
    expect(conditionsOf({ verdict: FAILED, conditions: [{ ...said, status: false, reason: 'Full' }] })).toMatchObject([{ reason: 'Full' }]);
  });

  test('without a summary states what the reconciler states', () => {
    const form = { ...share, hasConditions: false, summary: undefined };
    expect(next({ form })).toEqual({});
    expect(next({ form, verdict: FAILED })).toEqual({});
  });
});

describe('Ready that waits for the summary of another controller', () => {
  const form = { ...FORM, needed: ['BackupsReady'] };
  const backups = { ...ready(), type: 'BackupsReady', status: 'True' } as const;
  const readyWith = (question: Partial<StatusQuestion>) => (next({ form, ...question })['conditions'] as object[])[0];

  test('is False until that is True, and says why', () => {
    expect(readyWith({})).toMatchObject({ type: 'Ready', status: 'False', reason: 'PartNotReady' });
    const failing = { ...backups, status: 'False', reason: 'Full', message: 'no space' } as const;
    expect(readyWith({ beside: [failing] })).toMatchObject({ status: 'False', message: 'BackupsReady is False: Full: no space' });
    expect(readyWith({ beside: [backups] })).toMatchObject({ status: 'True', reason: 'Reconciled' });
  });

  test('is False while that speaks of a generation before', () => {
    expect(readyWith({ generation: 2, beside: [backups] })).toMatchObject({
      status: 'False',
      message: 'BackupsReady does not say anything of generation 2 yet',
    });
  });

  test('is what the reconciler says where that is not True, and is not taken for the reconciler’s own later', () => {
    const said = [{ type: 'Ready', status: false, reason: 'PodsMissing' }] as const;
    expect(readyWith({ conditions: said })).toMatchObject({ reason: 'PodsMissing' });
    const previous = next({ form, conditions: [{ type: 'Ready', status: true, reason: 'PodsReady' }] });
    expect(previous['conditions']).toMatchObject([{ type: 'Ready', status: 'False', reason: 'PartNotReady' }]);
    expect(readyWith({ previous, beside: [backups] })).toMatchObject({ status: 'True', reason: 'Reconciled' });
  });
});

test('an endless message is cut', () => {
  const { conditions } = next({ verdict: { ...FAILED, message: 'x'.repeat(100_000) } }) as { conditions: { message: string }[] };
  expect(conditions[0]?.message).toHaveLength(2_000);
});

test('the demand of a user is answered by runs, well or not, and by nothing that is not a run', () => {
  const form = { ...FORM, hasLastHandled: true };
  const handled = (question: Partial<StatusQuestion>) =>
    next({ form, previous: { lastHandledReconcile: 'one' }, token: 'two', ...question });
  for (const verdict of [{ type: 'reconciled' }, FAILED, { type: 'finalizing' }] as const)
    expect(handled({ verdict })).toMatchObject({ lastHandledReconcile: 'two' });
  for (const verdict of [
    { type: 'paused', message: '' },
    { ...FAILED, reason: 'Waiting', hasRun: false },
  ] as const)
    expect(handled({ verdict })).toMatchObject({ lastHandledReconcile: 'one' });
  expect(handled({ token: undefined, status: { size: 1 } })).toMatchObject({ size: 1, lastHandledReconcile: 'one' });
  expect(next({ token: 'two' })).not.toHaveProperty('lastHandledReconcile');
});

test('a pause and an observed run leave the rest of the status as it is, and the next run takes their conditions away', () => {
  const before = next({ status: { size: 1 }, now: new Date(EARLIER), conditions: [{ type: 'Up', status: true, reason: 'Yes' }] });
  const paused = next({ previous: before, verdict: { type: 'paused', message: 'by jane' }, generation: 2 });
  const condition = {
    type: 'Paused',
    status: 'True',
    reason: 'PausedByAnnotation',
    message: 'by jane',
    lastTransitionTime: LATER,
    observedGeneration: 2,
  };
  expect(paused).toEqual({ ...before, conditions: [...(before['conditions'] as object[]), condition] });
  const observed = next({ previous: paused, verdict: { type: 'observed', wouldChange: true, message: 'a' }, generation: 2 });
  expect((observed['conditions'] as { type: string }[]).map(({ type }) => type)).toEqual(['Up', 'Ready', 'WouldChange']);
  expect((next({ previous: observed })['conditions'] as { type: string }[]).map(({ type }) => type)).toEqual(['Up', 'Ready']);
});

test('conditions of these types that the reconciler states for reasons of its own stay its own', () => {
  const stated = next({ conditions: [{ type: 'Paused', status: true, reason: 'Budget' }] });
  expect((next({ previous: stated, verdict: FAILED })['conditions'] as { type: string }[]).map(({ type }) => type)).toContain('Paused');
});
