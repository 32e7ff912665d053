import { type KindInfo, messageOf, type ObjectKey } from '@keelson/kubernetes/apimachinery';
import { type Logger, type ReferrersModel, referencedKeys } from 'keelson/internal/definition';
import type {
  Borrowed,
  Cache,
  CacheChange,
  CacheRequest,
  ChangeListener,
  Informer,
  InformerListOptions,
  InvalidObject,
  OwnDeletion,
  StoredObject,
} from '../cache/index.js';
import { HandleError } from './errors.js';
import { idOf } from './object-id.js';

export interface ReferencedInformerOptions {
  /** Name of the watch. */
  readonly handle: string;
  readonly kind: KindInfo;
  readonly only: ReferrersModel;
  readonly cache: Pick<Cache, 'borrow' | 'synced'>;
  readonly log: Logger;
  readonly metadataOnly: boolean;
  readonly indexes: NonNullable<CacheRequest['indexes']>;
}

/** One object that is named. */
interface Part {
  readonly borrowed: Borrowed | undefined;
  /** Why it cannot be watched. */
  readonly problem?: string;
  /** Reconciled objects and runs that need it. */
  holds: number;
  readonly stops: Set<() => void>;
}

/** The named objects of one run. */
export interface Hold {
  /** Resolves when all of it has been read; `undefined` if it has. Rejects when the signal is aborted, or the cache stopped. */
  readonly ready: (signal: AbortSignal) => Promise<void> | undefined;
  /** Why what it waits for cannot be read, by object; empty while the first answer is under way. */
  readonly problems: () => readonly string[];
  readonly release: () => void;
}

/**
 * The objects that the reconciled ones name, behind one face: one watch for each.
 *
 * Flow: {@link follow} for every change of a reconciled object → {@link hold} for a run, which begins when the hold is ready → `release`.
 * Guarantees: an object is watched as long as a reconciled object names it or a run that began with its name is under way; once none does, its watch ends.
 * Errors: HandleError from `get` for an object that nothing names.
 */
export class ReferencedInformer implements Informer {
  readonly #options: ReferencedInformerOptions;
  readonly #parts = new Map<string, Part>();
  readonly #namedBy = new Map<string, readonly ObjectKey[]>();
  readonly #listeners = new Set<ChangeListener>();

  constructor(options: ReferencedInformerOptions) {
    this.#options = options;
  }

  get kind(): KindInfo {
    return this.#options.kind;
  }

  /** Runs wait for what their object names, not for what others name. */
  get hasSynced(): boolean {
    return true;
  }

  get resourceVersion(): undefined {
    return undefined;
  }

  get isComplete(): boolean {
    return this.#informers().every(({ isComplete }) => isComplete);
  }

  get isServed(): boolean {
    return this.#informers().every(({ isServed }) => isServed);
  }

  get invalidObjects(): readonly InvalidObject[] {
    return this.#informers().flatMap(({ invalidObjects }) => invalidObjects);
  }

  /** A reconciled object has changed: what it names now is watched before the names of before are let go of. */
  follow({ type, object }: CacheChange): void {
    const id = idOf(object.metadata);
    const before = this.#namedBy.get(id) ?? [];
    const now = type === 'deleted' ? [] : this.#keysOf(object);
    for (const key of now) this.#take(key);
    for (const key of before) this.#drop(key);
    if (now.length === 0) this.#namedBy.delete(id);
    else this.#namedBy.set(id, now);
  }

  hold(object: StoredObject): Hold {
    const keys = this.#keysOf(object);
    const parts = keys.map((key) => this.#take(key));
    const { kind } = this.#options;
    const problems = (): readonly string[] =>
      parts.flatMap(({ borrowed }, index) =>
        borrowed === undefined || borrowed.informer.hasSynced
          ? []
          : borrowed.problems().map(({ message }) => `${kind.kind} ${idOf(keys[index] as ObjectKey)} cannot be read: ${message}`),
      );
    const informers = parts.flatMap(({ borrowed }) => (borrowed === undefined ? [] : [borrowed.informer]));
    let isOver = false;
    return {
      problems,
      ready: (signal) => (informers.every(({ hasSynced }) => hasSynced) ? undefined : this.#options.cache.synced(signal, informers)),
      release: () => {
        if (isOver) return;
        isOver = true;
        for (const key of keys) this.#drop(key);
      },
    };
  }

  get(key: ObjectKey): StoredObject | undefined {
    const part = this.#parts.get(idOf(key));
    const { handle, kind } = this.#options;
    if (part?.problem !== undefined) throw new HandleError(`${handle}: ${kind.kind} ${idOf(key)} cannot be watched: ${part.problem}`);
    if (part?.borrowed !== undefined) return part.borrowed.informer.get(key);
    throw new HandleError(
      `${handle}: ${kind.kind} ${idOf(key)} is not held; watch(${kind.kind}, { only: referenced(...) }) holds what its function names for the reconciled object`,
    );
  }

  list(options?: InformerListOptions): StoredObject[] {
    return this.#informers().flatMap((informer) => (informer.hasSynced ? informer.list(options) : []));
  }

  /** An object that is there when its watch begins is not reported as added: each object that names it waits for it. */
  onChange(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      for (const { stops, borrowed } of this.#parts.values()) {
        for (const stop of stops) stop();
        borrowed?.end();
      }
      this.#parts.clear();
    };
  }

  async refresh(signal: AbortSignal): Promise<void> {
    for (const informer of this.#informers()) await informer.refresh(signal);
  }

  /** Answers of writes to objects that are not named are dropped: no run reads those. */
  written(object: StoredObject): void {
    this.#parts.get(idOf(object.metadata))?.borrowed?.informer.written(object);
  }

  deleted(deletion: OwnDeletion): void {
    this.#parts.get(idOf(deletion.key))?.borrowed?.informer.deleted(deletion);
  }

  #informers(): readonly Informer[] {
    return [...this.#parts.values()].flatMap(({ borrowed }) => (borrowed === undefined ? [] : [borrowed.informer]));
  }

  #keysOf(object: StoredObject): readonly ObjectKey[] {
    const { only, kind, handle, log } = this.#options;
    try {
      return referencedKeys(object, only, kind);
    } catch (error) {
      log.error(`watches.${handle}.only threw: the object names nothing`, { object: idOf(object.metadata), error });
      return [];
    }
  }

  #take(key: ObjectKey): Part {
    const known = this.#parts.get(idOf(key));
    if (known !== undefined) {
      known.holds += 1;
      return known;
    }
    const part = this.#begun(key);
    this.#parts.set(idOf(key), part);
    return part;
  }

  #begun({ name, namespace }: ObjectKey): Part {
    const { kind, cache, metadataOnly, indexes, handle, log } = this.#options;
    const select = { fields: { 'metadata.name': name }, ...(namespace === undefined ? {} : { namespaces: [namespace] }) };
    try {
      const borrowed = cache.borrow({ kind, select, metadataOnly, indexes });
      const stop = borrowed.informer.onChange((change) => this.#tell(change));
      return { borrowed, holds: 1, stops: new Set([stop]) };
    } catch (error) {
      const problem = messageOf(error);
      log.warn(`watches.${handle}: what is named cannot be watched: ${problem}`, { object: idOf({ name, namespace }) });
      return { borrowed: undefined, problem, holds: 1, stops: new Set() };
    }
  }

  #drop(key: ObjectKey): void {
    const part = this.#parts.get(idOf(key));
    if (part === undefined) return;
    part.holds -= 1;
    if (part.holds > 0) return;
    this.#parts.delete(idOf(key));
    for (const stop of part.stops) stop();
    part.borrowed?.end();
  }

  #tell(change: CacheChange): void {
    if (change.isInitial) return;
    for (const listener of this.#listeners) listener(change);
  }
}
