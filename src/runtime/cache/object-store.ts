import type { KindInfo, LabelRequirements, ObjectKey } from '@keelson/kubernetes/apimachinery';
import { compareResourceVersions, matchesLabels } from '@keelson/kubernetes/apimachinery';
import type { CacheChange, IndexFunction, InvalidObject, OwnDeletion, StoredObject } from './informer.js';
import { Intake, type IntakeOptions, unkeyed } from './intake.js';
import { KnownVersions } from './known-versions.js';
import { ObjectIndex } from './object-index.js';
import { keyText, ObjectTable } from './object-table.js';
import { OwnWrites, type Told } from './own-writes.js';
import type { ObjectSelection } from './selection.js';
import { textOf } from './text-of.js';

export interface ObjectStoreOptions extends IntakeOptions {
  readonly kind: KindInfo;
  readonly selection: ObjectSelection;
  readonly invalid: (object: InvalidObject) => void;
}

/** A read, prepared. */
export interface ObjectQuery {
  readonly namespace: string | undefined;
  readonly requirements: LabelRequirements;
  readonly indexed: readonly { readonly function: IndexFunction; readonly value: string }[];
}

interface Invalid extends InvalidObject {
  readonly resourceVersion: string;
  /** The list, or the watch after it, that had it last. */
  list: number;
}

/** At most this many invalid objects are remembered; beyond that the oldest is forgotten and reported again. */
const MAX_INVALID = 1_000;

/**
 * The state of one watch, and on top of it the answers of own writes.
 *
 * Guarantees: the watched state is one moment of the server's, moved on by single events or swapped whole; reads never show less than an own write that was handed in,
 * until the watch has come as far.
 */
export class ObjectStore {
  readonly #options: ObjectStoreOptions;
  readonly #intake: Intake;
  readonly #ownWrites = new OwnWrites();
  /** Objects whose events need not be parsed. */
  readonly known: KnownVersions = new KnownVersions(this.#ownWrites);
  readonly #indexes = new Map<IndexFunction, ObjectIndex>();
  readonly #invalid = new Map<string, Invalid>();
  /** Messages about objects without a name, each logged once: such objects cannot be distinguished. */
  readonly #toldOfNameless = new Set<string>();
  #lists = 0;
  #objects = new ObjectTable();
  #collected = new ObjectTable();
  #resourceVersion: string | undefined;

  constructor(options: ObjectStoreOptions) {
    this.#options = options;
    this.#intake = new Intake(options);
  }

  /** The version up to which the watch has come; `undefined` before the first complete list. */
  get resourceVersion(): string | undefined {
    return this.#resourceVersion;
  }

  get size(): number {
    return this.#objects.size;
  }

  get invalidObjects(): readonly InvalidObject[] {
    return [...this.#invalid.values()].map(({ key, message }) => ({ key, message }));
  }

  /** The state of the watch without own writes: what listeners know. */
  told(): Iterable<StoredObject> {
    return this.#objects;
  }

  get(key: ObjectKey): StoredObject | undefined {
    return this.#ownWrites.visible(key, this.#objects.get(key));
  }

  find(query: ObjectQuery, found: StoredObject[]): void {
    const { namespace, requirements } = query;
    const isWanted = (object: StoredObject): boolean =>
      (namespace === undefined || (object.metadata.namespace ?? '') === namespace) && matchesLabels(requirements, object.metadata.labels);
    const hasOwn = this.#ownWrites.size > 0;
    for (const object of this.#candidates(query)) {
      if (hasOwn && this.get(object.metadata) !== object) continue;
      if (isWanted(object)) found.push(object);
    }
    for (const object of this.#ownWrites.objects())
      if (isWanted(object) && query.indexed.every((term) => this.#index(term.function).valuesOf(object).includes(term.value)))
        found.push(object);
  }

  addIndex(indexFunction: IndexFunction): void {
    if (this.#indexes.has(indexFunction)) return;
    const index = new ObjectIndex(indexFunction, (object, error) => this.#refused(object, `index: ${textOf(error)}`));
    this.#indexes.set(indexFunction, index);
    for (const object of this.#objects) index.add(object);
  }

  written(object: StoredObject): void {
    this.#ownWrites.seen(this.#takenOwn(object), this.#options.selection.matches(object), this.#told);
  }

  deleted(deletion: OwnDeletion): void {
    this.#ownWrites.deleted(deletion, this.#told);
  }

  /** A list of one moment that was asked for by itself: reads are not behind it from now on, however far the watch has come. */
  seen(object: StoredObject): void {
    if (!isSame(this.get(object.metadata), object)) this.#ownWrites.seen(this.#takenOwn(object), true, this.#told);
  }

  /** An object that reads show, and that such a list of everything lacks, was deleted before its moment, unless it was made after it. */
  missing(uids: ReadonlySet<string>, resourceVersion: string): void {
    const shown: StoredObject[] = [];
    this.find({ namespace: undefined, requirements: [], indexed: [] }, shown);
    for (const { metadata } of shown) {
      const isOlder = (compareResourceVersions(metadata.resourceVersion, resourceVersion) ?? 1) <= 0;
      const { uid, name, namespace } = metadata;
      if (isOlder && !uids.has(uid)) this.deleted({ key: { name, namespace }, uid, resourceVersion });
    }
  }

  /** Whether the server says which object this is. One that does not is reported as invalid; every other method takes keyed objects alone. */
  isKeyed(object: unknown): object is StoredObject {
    const found = unkeyed(object);
    if (found !== undefined) this.#invalidate({ ...found, resourceVersion: '' });
    return found === undefined;
  }

  /** A new list begins; what was collected of another is thrown away. */
  begin(): void {
    this.#collected = new ObjectTable();
    this.#lists += 1;
  }

  collect(object: StoredObject): void {
    const taken = this.#take(object);
    if (taken !== undefined) this.#collected.set(taken);
  }

  discard(object: StoredObject): void {
    this.#collected.delete(object.metadata);
  }

  /**
   * The collected objects are all that there are, at `resourceVersion`: they become the watched state at once.
   *
   * @param wentBack the server was set back, so that what own writes answered is void
   * @returns what has changed, deletions found by key and uid first (H15, H16)
   */
  replace(resourceVersion: string, wentBack: boolean): readonly CacheChange[] {
    const before = this.#objects;
    const isInitial = this.#resourceVersion === undefined;
    this.#objects = this.#collected;
    this.#collected = new ObjectTable();
    this.#resourceVersion = resourceVersion;
    // A listener that has seen them must hear that they are gone: an owner makes its child again.
    const ghosts = this.#ownWrites
      .ghosts(this.#told, (key) => before.get(key), wentBack)
      .flatMap((object) => [addition(object, undefined, false), deletion(object, object, true)]);
    const changes = [...this.#gone(before), ...ghosts, ...this.#come(before, isInitial)];
    this.#forgetInvalid();
    if (wentBack) this.#ownWrites.clear();
    else this.#ownWrites.sweep(this.#told);
    return changes;
  }

  apply(event: 'ADDED' | 'MODIFIED' | 'DELETED', object: StoredObject): readonly CacheChange[] {
    const isGone = event === 'DELETED';
    const previous = this.#objects.get(object.metadata);
    if (!isGone && isSame(previous, object)) return [];
    const taken = this.#take(object);
    if (taken === undefined) return [];
    this.#resourceVersion = taken.metadata.resourceVersion;
    const changes = isGone ? this.#removed(taken, previous) : this.#put(taken, previous);
    this.#ownWrites.told(taken, isGone);
    return changes;
  }

  /** A bookmark: the watch has reported all up to here. */
  progress(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion;
    this.#ownWrites.sweep(this.#told);
  }

  #takenOwn(object: StoredObject): StoredObject {
    const { object: taken, problem } = this.#intake.takeOwn(object);
    if (problem === undefined) this.known.add(taken);
    return taken;
  }

  get #told(): Told {
    return { get: (key) => this.#objects.get(key), resourceVersion: this.#resourceVersion };
  }

  #candidates({ namespace, indexed }: ObjectQuery): Iterable<StoredObject> {
    const [first, ...others] = indexed.map((term) => this.#index(term.function).with(term.value));
    if (first !== undefined) {
      const [smallest, ...rest] = [first, ...others].sort((a, b) => a.size - b.size) as [
        ReadonlySet<StoredObject>,
        ...ReadonlySet<StoredObject>[],
      ];
      return rest.length === 0 ? smallest : [...smallest].filter((object) => rest.every((objects) => objects.has(object)));
    }
    return namespace === undefined ? this.#objects : this.#objects.inNamespace(namespace);
  }

  #index(indexFunction: IndexFunction): ObjectIndex {
    this.addIndex(indexFunction);
    return this.#indexes.get(indexFunction) as ObjectIndex;
  }

  /** An object that is held already is not held twice: a relist brings mostly known objects, and must not double the memory. */
  #take(object: StoredObject): StoredObject | undefined {
    const known = this.#objects.get(object.metadata);
    if (known !== undefined && isSame(known, object)) return known;
    const taken = this.known.has(object) ? { object, problem: undefined } : this.#intake.take(object);
    if (taken.problem === undefined) this.#invalid.delete(keyText(taken.object.metadata));
    else this.#refused(taken.object, taken.problem);
    return taken.object;
  }

  #refused({ metadata: { namespace, name, resourceVersion } }: StoredObject, message: string): void {
    this.#invalidate({ key: { namespace, name }, message, resourceVersion });
  }

  /** Told once for each version of the object. */
  #invalidate(found: InvalidObject & { readonly resourceVersion: string }): void {
    const text = found.key === undefined ? '' : keyText(found.key);
    const known = this.#invalid.get(text);
    if (known?.resourceVersion === found.resourceVersion && known.message === found.message) {
      known.list = this.#lists;
      return;
    }
    const [oldest] = this.#invalid.keys();
    if (this.#invalid.size >= MAX_INVALID && oldest !== undefined) this.#invalid.delete(oldest);
    this.#invalid.set(text, { ...found, list: this.#lists });
    if (found.key === undefined && this.#toldOfNameless.has(found.message)) return;
    if (found.key === undefined) this.#toldOfNameless.add(found.message);
    this.#options.invalid(found);
  }

  /** Objects that were never held, and that the last list does not have. */
  #forgetInvalid(): void {
    for (const [text, { key, list }] of this.#invalid)
      if (list < this.#lists && (key === undefined || this.#objects.get(key) === undefined)) this.#invalid.delete(text);
  }

  #gone(before: ObjectTable): CacheChange[] {
    const changes: CacheChange[] = [];
    for (const previous of before) {
      const now = this.#objects.get(previous.metadata);
      if (now?.metadata.uid === previous.metadata.uid) continue;
      this.#unindex(previous);
      if (now === undefined) this.#invalid.delete(keyText(previous.metadata));
      changes.push(deletion(previous, previous, true));
    }
    return changes;
  }

  #come(before: ObjectTable, isInitial: boolean): CacheChange[] {
    const changes: CacheChange[] = [];
    for (const object of this.#objects) {
      const found = before.get(object.metadata);
      if (found === object) continue;
      const previous = found?.metadata.uid === object.metadata.uid ? found : undefined;
      if (previous !== undefined) this.#unindex(previous);
      this.#reindex(object);
      changes.push(addition(object, previous, isInitial));
    }
    return changes;
  }

  #put(object: StoredObject, known: StoredObject | undefined): readonly CacheChange[] {
    const isOther = known !== undefined && known.metadata.uid !== object.metadata.uid;
    if (known !== undefined) this.#unindex(known);
    this.#objects.set(object);
    this.#reindex(object);
    const change = addition(object, isOther ? undefined : known, false);
    // H16: the end of the one before was missed.
    return isOther ? [deletion(known, known, true), change] : [change];
  }

  #removed(object: StoredObject, known: StoredObject | undefined): readonly CacheChange[] {
    this.#invalid.delete(keyText(object.metadata));
    if (known === undefined) return [];
    this.#unindex(known);
    this.#objects.delete(object.metadata);
    const isOther = known.metadata.uid !== object.metadata.uid;
    return [deletion(isOther ? known : object, known, isOther)];
  }

  #unindex(object: StoredObject): void {
    for (const index of this.#indexes.values()) index.remove(object);
  }

  #reindex(object: StoredObject): void {
    for (const index of this.#indexes.values()) index.add(object);
  }
}

function isSame(known: StoredObject | undefined, { metadata }: StoredObject): boolean {
  return known !== undefined && known.metadata.uid === metadata.uid && known.metadata.resourceVersion === metadata.resourceVersion;
}

function deletion(object: StoredObject, previous: StoredObject, isLastStateUnknown: boolean): CacheChange {
  return { type: 'deleted', object, previous, isInitial: false, isLastStateUnknown };
}

function addition(object: StoredObject, previous: StoredObject | undefined, isInitial: boolean): CacheChange {
  return { type: previous === undefined ? 'added' : 'modified', object, previous, isInitial, isLastStateUnknown: false };
}
