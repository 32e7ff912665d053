import { AsyncLocalStorage } from 'node:async_hooks';
import { type JournalRun, RunRecord, type RunStart } from './run-record.js';

/** Limits of what is kept in memory. */
export interface JournalOptions {
  /** Runs that are kept of each object and controller. @defaultValue 10 */
  readonly runs?: number | undefined;
  /** Objects whose runs are kept; those that ran last. @defaultValue 1000 */
  readonly objects?: number | undefined;
}

/** Picks runs; what is left out picks all. */
export interface JournalFilter {
  /** Name of the controller. */
  readonly controller?: string | undefined;
  /** Kind of the object, for example `Deployment`. */
  readonly kind?: string | undefined;
  /** `namespace/name`, or the name of a cluster-scoped object. */
  readonly object?: string | undefined;
}

/**
 * The last runs of each object, in memory.
 *
 * Guarantees: at most `objects` × `runs` records of bounded size; a journal that is not made costs nothing, and one that is keeps no object alive: records are texts.
 */
export class Journal {
  readonly #current = new AsyncLocalStorage<RunRecord>();
  /** In the order of their last runs. */
  readonly #objects = new Map<string, RunRecord[]>();
  readonly #limits: Required<{ [N in keyof JournalOptions]: number }>;

  constructor({ runs = 10, objects = 1_000 }: JournalOptions = {}) {
    this.#limits = { runs, objects };
  }

  /** The record of the run whose code this is; `undefined` beside runs. */
  get current(): RunRecord | undefined {
    return this.#current.getStore();
  }

  begin(start: RunStart): RunRecord {
    const record = new RunRecord(start);
    const id = `${start.controller}\n${start.object}`;
    const runs = this.#objects.get(id) ?? [];
    // Put in anew, it is the last that goes.
    this.#objects.delete(id);
    this.#objects.set(id, runs);
    runs.push(record);
    if (runs.length > this.#limits.runs) runs.shift();
    if (this.#objects.size > this.#limits.objects) {
      const [oldest] = this.#objects.keys();
      if (oldest !== undefined) this.#objects.delete(oldest);
    }
    return record;
  }

  /** Calls a function whose reads and writes belong to a record. */
  within<T>(record: RunRecord, act: () => T): T {
    return this.#current.run(record, act);
  }

  /** In the order in which they began. */
  runs({ controller, kind, object }: JournalFilter = {}): readonly JournalRun[] {
    const isWanted = ({ start }: RunRecord): boolean =>
      (controller === undefined || start.controller === controller) &&
      (kind === undefined || start.kind === kind) &&
      (object === undefined || start.object === object);
    return [...this.#objects.values()]
      .flat()
      .filter(isWanted)
      .map(({ run }) => run)
      .sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime());
  }
}
