import type { ControllerModel } from 'keelson/internal/definition';
import type { CacheChange } from '../../cache/index.js';
import { LinkedAbort } from '../../signals/index.js';
import { RunAbortedError } from '../errors.js';
import { idOf } from '../object-id.js';

type AbortEvent = ControllerModel['abortOn'][number];

/** Aborts runs under way by changes of their objects, as `abortOn` of the controller names them. */
export class RunAborts {
  readonly #abortOn: readonly AbortEvent[];
  readonly #mayLeave: boolean;
  readonly #running = new Map<string, LinkedAbort>();

  /** @param mayLeave whether an object that is no longer seen may be another instance's, for which nothing is written any more */
  constructor(abortOn: readonly AbortEvent[], mayLeave = false) {
    this.#abortOn = abortOn;
    this.#mayLeave = mayLeave;
  }

  /** Calls the run of an object with a signal that the outer one aborts, and a change of the object. */
  async during<T>(id: string, outer: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#abortOn.length === 0 && !this.#mayLeave) return run(outer);
    const own = new LinkedAbort([outer]);
    this.#running.set(id, own);
    try {
      return await run(own.signal);
    } finally {
      this.#running.delete(id);
      own.release();
    }
  }

  /** A reconciled object has changed. */
  changed({ type, object, previous }: CacheChange): void {
    const running = this.#running.get(idOf(object.metadata));
    if (running === undefined) return;
    const [now, before] = [object.metadata, previous?.metadata];
    const isDeletion = type === 'deleted' || (now.deletionTimestamp !== undefined && before?.deletionTimestamp === undefined);
    const hasLeft = type === 'deleted' && now.deletionTimestamp === undefined && this.#mayLeave;
    const isNewSpec = type === 'modified' && now.generation !== before?.generation && !isDeletion;
    if (hasLeft) running.abort(new RunAbortedError('the object is no longer one of this instance'));
    else if (isDeletion && this.#abortOn.includes('deletion')) running.abort(new RunAbortedError('the object is being deleted'));
    else if (isNewSpec && this.#abortOn.includes('spec')) running.abort(new RunAbortedError('the spec of the object has changed'));
  }
}
