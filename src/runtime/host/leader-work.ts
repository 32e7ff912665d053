import { setMaxListeners } from 'node:events';
import type { Controllers, Term } from '../reconcile/index.js';
import { LinkedAbort } from '../signals/index.js';

/** Work of the leader beside its controllers. */
export interface LeaderWork {
  /** Resolves when there is nothing left to be done, or soon after the signal is aborted: by the end of the term, or because the process ends. */
  run(signal: AbortSignal): Promise<void>;
}

/** All that a leader does, and the signals of its process. */
export interface Leadership {
  readonly controllers: Pick<Controllers, 'run'>;
  readonly works: readonly LeaderWork[];
  /** The process ends: nothing is begun any more. */
  readonly stop: AbortSignal;
  /** The process gives up what is under way. */
  readonly abort: AbortSignal;
  /** Another process may have led before. */
  readonly isElected: boolean;
}

/** An operator of webhooks alone works until it is stopped. */
const PRESENCE: LeaderWork = {
  run: (signal) =>
    new Promise((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    }),
};

/** Works for one term: until it is over or the process ends. */
export async function lead(term: AbortSignal, { controllers, works, stop, abort, isElected }: Leadership): Promise<void> {
  const over = new Error('leadership is over');
  const given = new LinkedAbort([term, abort], over);
  setMaxListeners(0, given.signal);
  const signals: Term = { stop, abort: given.signal, isElected };
  try {
    await Promise.all([doWork([PRESENCE, ...works], signals), controllers.run(signals)]);
  } finally {
    // One that broke must not leave the others behind.
    given.abort(over);
    given.release();
  }
}

/** Does all of it for one term. A work that breaks ends the others, and is thrown on. */
export async function doWork(works: readonly LeaderWork[], { stop, abort }: Term): Promise<void> {
  const over = new Error('the process ends, or leadership is over');
  const ended = new LinkedAbort([stop, abort], over);
  try {
    await Promise.all(works.map((work) => work.run(ended.signal)));
  } finally {
    ended.abort(over);
    ended.release();
  }
}
