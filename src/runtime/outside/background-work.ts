import { equalJson, errorOf, type ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';
import type { StoredObject } from '../cache/index.js';
import type { Clock } from '../clock/index.js';
import { inputOf } from './background-input.js';
import { ExternalError } from './errors.js';
import type { BackgroundEnd, OutsideObserver } from './observer.js';

/** A background function as its controller declares it. */
export interface BackgroundSource {
  /** Name of the handle. */
  readonly name: string;
  readonly run: (scope: BackgroundScope, input: unknown) => unknown;
}

/** How one piece of background work stands. */
export type BackgroundState =
  | { readonly phase: 'absent' }
  | { readonly phase: 'running'; readonly since: Date; readonly progress?: string | undefined }
  | { readonly phase: 'done'; readonly at: Date; readonly result: unknown }
  | { readonly phase: 'failed'; readonly at: Date; readonly error: unknown }
  | { readonly phase: 'cancelled'; readonly at: Date };

export interface BackgroundScope {
  readonly object: StoredObject;
  readonly key: string;
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
}

export interface BackgroundWorkOptions {
  readonly source: BackgroundSource;
  readonly clock: Clock;
  readonly log: Logger;
  /** A piece of work has ended, however: its object is looked at again. */
  readonly onEnd: (key: ObjectKey) => void;
  readonly observer?: OutsideObserver | undefined;
}

interface Work {
  readonly abort: AbortController;
  readonly input: unknown;
  state: BackgroundState;
  /** The function has returned. */
  hasReturned: boolean;
}

interface Begun {
  readonly object: StoredObject;
  readonly key: string;
  readonly input: unknown;
}

interface ObjectWork {
  readonly key: ObjectKey;
  readonly works: Map<string, Work>;
  /** The results are not needed any more; entries stay until their functions have returned. */
  isForgotten: boolean;
}

const ABSENT: BackgroundState = Object.freeze({ phase: 'absent' });

/** Results that are kept for each object: those of the last keys. Results that matter longer belong in the status. */
const MOST_ENDED = 16;
const LONGEST_PROGRESS = 1_024;
const LONGEST_KEY = 253;

/**
 * Long work of one function beside the reconciles: one at a time for each object and key.
 *
 * Flow: `start` → running → done, failed or cancelled, which is reported by `onEnd`. `start` of work that is there changes nothing; with another input it is a new
 * intent: the work is cancelled, and begins anew once it has returned. `cancel` aborts work that runs, and forgets work that has ended, so that it can be started again.
 * Guarantees: work of one object and key never overlaps, also when a cancelled function does not return: until it does, `start` answers `cancelled`.
 * It is cancelled by `cancel`, the object's deletion, and the end of the term. The states are in memory: after a restart they are absent.
 */
export class BackgroundWork {
  readonly #options: BackgroundWorkOptions;
  readonly #objects = new Map<string, ObjectWork>();
  readonly #idle = new Set<() => void>();
  #running = 0;
  #signs = 0;

  constructor(options: BackgroundWorkOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.source.name;
  }

  /** Functions that have not returned. */
  get running(): number {
    return this.#running;
  }

  /** Goes up with each beginning, end and report of progress. */
  get signs(): number {
    return this.#signs;
  }

  start(object: StoredObject, key: string, given?: unknown): BackgroundState {
    checkKey(this.name, key);
    const input = inputOf(this.name, given);
    const { uid } = object.metadata;
    const found = this.#objects.get(uid) ?? { key: keyOf(object), works: new Map<string, Work>(), isForgotten: false };
    // A run asks for it again, for example in a later term: it wants to hear of the end.
    found.isForgotten = false;
    const work = found.works.get(key);
    if (work !== undefined) {
      const isMeant = equalJson(work.input, input);
      if (!isMeant) this.#abort(work, 'it was started with another input');
      if (!work.hasReturned || (isMeant && work.state.phase !== 'cancelled')) return work.state;
    }
    this.#objects.set(uid, found);
    return this.#begin({ object, key, input }, found);
  }

  state(uid: string, key: string): BackgroundState {
    return this.#objects.get(uid)?.works.get(key)?.state ?? ABSENT;
  }

  cancel(uid: string, key: string): void {
    const found = this.#objects.get(uid);
    const work = found?.works.get(key);
    if (found === undefined || work === undefined) return;
    if (work.hasReturned) this.#drop(uid, found, key);
    else this.#abort(work, 'it was cancelled');
  }

  /** The object is gone, or is being deleted: its work is cancelled, and nothing of it is kept once the functions have returned. */
  forget(uid: string): void {
    const found = this.#objects.get(uid);
    if (found === undefined) return;
    found.isForgotten = true;
    for (const [key, work] of [...found.works]) {
      if (work.hasReturned) this.#drop(uid, found, key);
      else this.#abort(work, 'the object is gone, or another replica leads');
    }
  }

  /** Ends a term: all work is cancelled and forgotten. Resolves when every function has returned. */
  async end(): Promise<void> {
    for (const uid of [...this.#objects.keys()]) this.forget(uid);
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.add(resolve));
  }

  #begin({ object, key, input }: Begun, found: ObjectWork): BackgroundState {
    const { clock, source, observer } = this.#options;
    const abort = new AbortController();
    const since = new Date(clock.wallMs());
    const work: Work = { abort, input, state: { phase: 'running', since }, hasReturned: false };
    const progress = (text: string): void => {
      this.#signs += 1;
      if (work.state.phase === 'running') work.state = { phase: 'running', since, progress: String(text).slice(0, LONGEST_PROGRESS) };
    };
    found.works.set(key, work);
    this.#running += 1;
    this.#signs += 1;
    observer?.backgroundStarted?.(this.name);
    const running = (async () => source.run({ object, key, signal: abort.signal, progress }, input))();
    void running.then(
      (result) => this.#ended(object.metadata.uid, found, key, { phase: 'done', at: new Date(clock.wallMs()), result }),
      (thrown: unknown) =>
        this.#ended(object.metadata.uid, found, key, { phase: 'failed', at: new Date(clock.wallMs()), error: errorOf(thrown) }),
    );
    return work.state;
  }

  #abort(work: Work, why: string): void {
    if (work.state.phase !== 'running') return;
    work.state = { phase: 'cancelled', at: new Date(this.#options.clock.wallMs()) };
    work.abort.abort(new Error(why));
  }

  #ended(uid: string, found: ObjectWork, key: string, state: BackgroundState & { readonly phase: BackgroundEnd }): void {
    const { log, observer, onEnd } = this.#options;
    const work = found.works.get(key);
    if (work === undefined) return;
    this.#running -= 1;
    this.#signs += 1;
    work.hasReturned = true;
    // A result after the cancellation answers an old question.
    const end: BackgroundEnd = work.state.phase === 'cancelled' ? 'cancelled' : state.phase;
    if (end !== 'cancelled') work.state = state;
    observer?.backgroundEnded?.(this.name, end);
    if (state.phase === 'failed' && end === 'failed')
      log.warn(`background.${this.name} failed`, { object: found.key, key, error: state.error });
    if (found.isForgotten) this.#drop(uid, found, key);
    else {
      this.#keepLast(uid, found);
      onEnd(found.key);
    }
    if (this.#running > 0) return;
    for (const resolve of this.#idle) resolve();
    this.#idle.clear();
  }

  #keepLast(uid: string, found: ObjectWork): void {
    const ended = [...found.works].filter(([, { hasReturned }]) => hasReturned);
    for (const [key] of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) this.#drop(uid, found, key);
  }

  #drop(uid: string, found: ObjectWork, key: string): void {
    found.works.delete(key);
    if (found.works.size === 0 && this.#objects.get(uid) === found) this.#objects.delete(uid);
  }
}

function checkKey(name: string, key: unknown): asserts key is string {
  if (typeof key === 'string' && key !== '' && key.length <= LONGEST_KEY) return;
  throw new ExternalError(
    `${name}: a key of background work must be a text of 1 to ${LONGEST_KEY} characters, got ${typeof key === 'string' ? `${key.length} characters` : typeof key}`,
  );
}

function keyOf({ metadata: { name, namespace } }: StoredObject): ObjectKey {
  return namespace === undefined ? { name } : { name, namespace };
}
