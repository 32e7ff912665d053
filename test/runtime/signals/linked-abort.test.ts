import { getEventListeners } from 'node:events';
import { LinkedAbort } from '../../../src/runtime/signals/index.js';

const listeners = (...controllers: readonly AbortController[]): readonly number[] =>
  controllers.map(({ signal }) => getEventListeners(signal, 'abort').length);

test('each outer signal aborts it, with the reason of that signal', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const linked = new LinkedAbort([first.signal, second.signal]);
  expect(linked.signal.aborted).toBe(false);
  const reason = new Error('leadership is over');
  second.abort(reason);
  first.abort(new Error('too late'));
  expect(linked.signal.reason).toBe(reason);
});

test('an outer signal that was aborted before does not go unheard', () => {
  const reason = new Error('over');
  expect(new LinkedAbort([new AbortController().signal, AbortSignal.abort(reason)]).signal.reason).toBe(reason);
});

test('a reason of its own stands for those of the outer signals, and not for that of its owner', () => {
  const [outer, reason] = [new AbortController(), new Error('leadership is over')];
  const [ended, closed] = [new LinkedAbort([outer.signal], reason), new LinkedAbort([outer.signal], reason)];
  closed.abort(new Error('closed'));
  outer.abort(new Error('the process ends'));
  expect([ended, closed].map(({ signal }) => String(signal.reason))).toEqual(['Error: leadership is over', 'Error: closed']);
});

test('its owner aborts it alone, and not the outer signals', () => {
  const outer = new AbortController();
  const linked = new LinkedAbort([outer.signal]);
  const reason = new Error('the spec has changed');
  linked.abort(reason);
  expect([linked.signal.reason, outer.signal.aborted]).toEqual([reason, false]);
});

test('H64: a released one leaves no listener behind, and is not aborted any more', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const linked = new LinkedAbort([first.signal, second.signal]);
  expect(listeners(first, second)).toEqual([1, 1]);
  linked.release();
  expect(listeners(first, second)).toEqual([0, 0]);
  first.abort();
  expect(linked.signal.aborted).toBe(false);
});
