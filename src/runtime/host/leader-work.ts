import type { Term } from '../reconcile/index.js';

/** Work of the leader beside its controllers. */
export interface LeaderWork {
  /** Resolves when there is nothing left to be done, or soon after the signal is aborted: by the end of the term, or because the process ends. */
  run(signal: AbortSignal): Promise<void>;
}

/** Does all of it for one term. A work that breaks ends the others, and is thrown on. */
export async function doWork(works: readonly LeaderWork[], { stop, abort }: Term): Promise<void> {
  const ended = new AbortController();
  const end = (): void => ended.abort(new Error('the process ends, or leadership is over'));
  for (const signal of [stop, abort]) {
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  }
  try {
    await Promise.all(works.map((work) => work.run(ended.signal)));
  } finally {
    end();
    for (const signal of [stop, abort]) signal.removeEventListener('abort', end);
  }
}
