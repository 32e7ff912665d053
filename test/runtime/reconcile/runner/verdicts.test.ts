import { RetryLater, TerminalError } from '../../../../src/keelson/definition/index.js';
import { ConflictError } from '../../../../src/runtime/client/index.js';
import { ObjectUnfitError, RunAbortedError, TimeLimitError } from '../../../../src/runtime/reconcile/errors.js';
import type { RunReport } from '../../../../src/runtime/reconcile/object-runner.js';
import { Verdicts, type VerdictsOptions } from '../../../../src/runtime/reconcile/runner/verdicts.js';
import { FakeClock } from '../../clock/fake-clock.js';
import { keptLog } from '../../outside/kept-log.js';
import { itemNamed } from './parts.js';

const HOUR_MS = 3_600_000;

function scene(options: Partial<VerdictsOptions> = {}) {
  const clock = new FakeClock();
  const { log, lines } = keptLog();
  const seen: string[] = [];
  const observer = { timedOut: () => void seen.push('timedOut'), panicked: () => void seen.push('panicked') };
  const verdicts = new Verdicts({ controller: 'widgets', clock, log, observer, random: () => 0.5, ...options });
  const judge = (report: Partial<RunReport>, { name = 'a', attempt = 1, isGivenUp = false } = {}) =>
    verdicts.judge(itemNamed(name, attempt), { wrote: false, ...report }, isGivenUp);
  return { clock, verdicts, judge, seen, logged: () => lines.map(({ level, message }) => `${level} ${message}`) };
}

const resync = (afterMs: number) => ({ type: 'again', afterMs, trigger: { cause: 'resync' }, lane: 'slow' });
const timer = (afterMs: number) => ({ type: 'again', afterMs, trigger: { cause: 'timer' }, lane: 'fresh' });
const conflict = (): Error =>
  new ConflictError({ request: 'PATCH /apis/example.com/v1/widgets/a', httpStatus: 409, status: { kind: 'Status', message: 'modified' } });

describe('a run without an error', () => {
  test.each([
    [0, 9 * HOUR_MS],
    [0.5, 10 * HOUR_MS],
    [0.999, 10.998 * HOUR_MS],
  ])('is a success, and comes again with the resync: ten hours ± 10 %% (random %d)', (random, afterMs) => {
    const { result, next } = scene({ random: () => random }).judge({});
    expect([result, next]).toEqual(['success', { ...resync(0), afterMs: expect.closeTo(afterMs, 3) }]);
  });

  test('comes again when it asked for it, and later by the jitter: objects that were made together part', () => {
    const { judge } = scene();
    expect(judge({ requeueAfterMs: 30_000 })).toEqual({ result: 'requeue_after', next: timer(31_500) });
    expect(scene({ requeueJitter: 0 }).judge({ requeueAfterMs: 30_000 }).next).toEqual(timer(30_000));
  });

  test('comes again at a stated time without jitter, and at once where that is over', () => {
    const { judge, clock } = scene();
    const at = clock.wallMs() + 20_000;
    expect(judge({ requeueAtMs: at })).toEqual({ result: 'requeue_after', next: timer(20_000) });
    clock.advance(50_000);
    expect(judge({ requeueAtMs: at }).next).toEqual(timer(0));
  });

  test('that asks for a time after the resync does not put it off', () => {
    const { judge } = scene({ resyncMs: HOUR_MS });
    expect(judge({ requeueAfterMs: 5 * HOUR_MS })).toEqual({ result: 'success', next: resync(HOUR_MS) });
  });
});

describe('an error', () => {
  test('is a failure, with the backoff of the queue', () => {
    expect(scene().judge({ error: new Error('no') })).toEqual({ result: 'error', next: { type: 'failed' } });
  });

  test.each([
    ['TerminalError', new TerminalError('never')],
    ['ObjectUnfitError', new ObjectUnfitError('another CRD')],
  ])('%s is not retried before the resync', (_, error) => {
    expect(scene({ resyncMs: HOUR_MS }).judge({ error })).toEqual({ result: 'terminal', next: resync(HOUR_MS) });
  });

  test('RetryLater comes at its own time, and is no failure in the log', () => {
    const { judge, logged } = scene();
    expect(judge({ error: new RetryLater('30s', 'no Secret yet') })).toEqual({
      result: 'requeue_after',
      next: { type: 'later', afterMs: 30_000 },
    });
    expect(logged()).toEqual(['debug it waits']);
  });

  test.each<[string, Error, boolean]>([
    ['of a run that the end of the term gave up', new TypeError('fetch failed'), true],
    ['of a run that a change of its object gave up', new RunAbortedError('the spec has changed'), false],
    ['of a request that ended with such a run', new Error('cancelled', { cause: new RunAbortedError('the spec has changed') }), false],
  ])('%s counts as no failure, and the run comes again for the same cause', (_, error, isGivenUp) => {
    const { judge, logged, seen } = scene();
    const { trigger } = itemNamed('a');
    expect(judge({ error }, { isGivenUp })).toEqual({ result: 'requeue', next: { type: 'again', afterMs: 0, trigger, lane: 'fresh' } });
    expect([logged(), seen]).toEqual([[], []]);
  });

  test('a run that ended well at the end of the term is a success', () => {
    expect(scene().judge({}, { isGivenUp: true }).result).toBe('success');
  });
});

describe('the observer', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['a time limit', new TimeLimitError('it took longer than 300 s'), ['timedOut']],
    ['a TypeError', new TypeError('x is not a function'), ['panicked']],
    ['a RangeError', new RangeError('too deep'), ['panicked']],
    ['a ReferenceError', new ReferenceError('x is not defined'), ['panicked']],
    ['a thrown text', 'no', ['panicked']],
    ['an error of the author', new Error('no'), []],
  ])('does not take %s for anything else', (_, error, expected) => {
    const { judge, seen } = scene();
    judge({ error });
    expect(seen).toEqual(expected);
  });
});

describe('the log', () => {
  test('does not repeat an error of an object, nor hide another one', () => {
    const { judge, logged } = scene();
    judge({ error: new Error('one') });
    judge({ error: new Error('one') });
    judge({ error: new Error('two') });
    judge({ error: new Error('two') }, { name: 'b' });
    expect(logged()).toEqual([
      'error reconciling failed',
      'debug reconciling failed again',
      'error reconciling failed',
      'error reconciling failed',
    ]);
  });

  test('tells long errors from each other by their ends too', () => {
    const { judge, logged } = scene();
    judge({ error: new Error(`${'x'.repeat(300)}1`) });
    judge({ error: new Error(`${'x'.repeat(300)}2`) });
    expect(logged()).toEqual(['error reconciling failed', 'error reconciling failed']);
  });

  test('says once that an object works again', () => {
    const { judge, logged } = scene();
    judge({ error: new Error('no') });
    judge({});
    judge({});
    expect(logged()).toEqual(['error reconciling failed', 'info reconciling works again']);
  });

  test('does not call a conflict a failure unless it lasts', () => {
    const { judge, logged } = scene();
    judge({ error: conflict() }, { attempt: 7 });
    judge({ error: conflict() }, { attempt: 8 });
    expect(logged()).toEqual(['debug another client was quicker; trying again', 'error reconciling failed']);
  });

  test('a new object under the name of a deleted one has its error reported anew', () => {
    const { judge, verdicts, logged } = scene();
    judge({ error: new Error('no') });
    verdicts.forget('shop/a');
    judge({ error: new Error('no') });
    expect(logged()).toEqual(['error reconciling failed', 'error reconciling failed']);
  });
});
