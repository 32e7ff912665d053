import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import type { Informer, StoredObject } from '../cache/index.js';
import { type ApiClient, isNotFound, mergePatch } from '../client/index.js';
import { madeAnnotation, type Owner } from './marks.js';

type Made = Readonly<Record<string, readonly string[]>>;

/** A handle, with the names that it had in releases before. */
export interface RememberedHandle {
  readonly handle: string;
  readonly formerHandles?: readonly string[] | undefined;
}

/** The names that are remembered for a handle, under whichever of its names. */
function namesIn(made: Made, { handle, formerHandles = [] }: RememberedHandle): readonly string[] {
  const names: readonly unknown[] = [handle, ...formerHandles].flatMap((each) => made[each] ?? []);
  return [...new Set(names.filter((name): name is string => typeof name === 'string'))];
}

function recordOf(text: string | undefined): Made {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Made) : {};
  } catch {
    // A user has edited it: what is there is still found, and what is gone may be made once more.
    return {};
  }
}

export interface MadeOnceOptions {
  readonly client: Pick<ApiClient, 'patch'>;
  readonly kind: KindInfo;
  readonly informer: Informer;
  readonly fieldManager: string;
  /** Field managers of releases before, whose memory becomes one's own. @defaultValue none */
  readonly formerManagers?: readonly string[] | undefined;
  /** A memory of before has been taken over. */
  readonly onTaken?: (() => void) | undefined;
}

/**
 * Remembers in an annotation of the owner which children were made once, so that neither a deletion of theirs nor a restart makes them again.
 *
 * Only names that are still desired are kept, so that it stays small. It is written after the child: a child that is there says the same.
 */
export class MadeOnce {
  readonly #options: MadeOnceOptions;
  readonly #annotation: string;
  readonly #former: readonly string[];

  constructor(options: MadeOnceOptions) {
    this.#options = options;
    this.#annotation = madeAnnotation(options.fieldManager);
    const former = new Set((options.formerManagers ?? []).map(madeAnnotation));
    this.#former = [...former].filter((annotation) => annotation !== this.#annotation);
  }

  /** The names that the owner remembers for a handle. */
  names(owner: Owner, handle: RememberedHandle): readonly string[] {
    return namesIn(this.#memory(this.#newest(owner)), handle);
  }

  /** Whether an owner remembers under a former name. */
  hasFormer({ metadata }: StoredObject): boolean {
    return this.#former.some((annotation) => metadata.annotations?.[annotation] !== undefined);
  }

  /** The owner with the newest annotation: the run may have begun before it was written. */
  #newest({ object }: Owner): StoredObject {
    const { name, namespace, uid } = object.metadata;
    const held = this.#options.informer.get({ name, ...(namespace === undefined ? {} : { namespace }) });
    return held?.metadata.uid === uid ? held : object;
  }

  async remember(owner: Owner, remembered: RememberedHandle, names: readonly string[], signal: AbortSignal): Promise<void> {
    const { handle, formerHandles = [] } = remembered;
    const object = this.#newest(owner);
    const before = this.#memory(object);
    const sorted = [...names].sort();
    const isRenamed = formerHandles.some((each) => before[each] !== undefined);
    if (!this.hasFormer(object) && !isRenamed && JSON.stringify(sorted) === JSON.stringify([...namesIn(before, remembered)].sort())) return;
    const others = Object.fromEntries(Object.entries(before).filter(([each]) => each !== handle && !formerHandles.includes(each)));
    await this.#write(object, sorted.length === 0 ? others : { ...others, [handle]: sorted }, signal);
  }

  /** Takes over what is remembered under former names, where no handle will do it. */
  async take(owner: Owner, signal: AbortSignal): Promise<void> {
    const object = this.#newest(owner);
    if (this.hasFormer(object)) await this.#write(object, this.#memory(object), signal);
  }

  async #write(object: StoredObject, record: Made, signal: AbortSignal): Promise<void> {
    const isTaken = this.hasFormer(object);
    const text = Object.keys(record).length === 0 ? null : JSON.stringify(record);
    const { client, kind, informer, fieldManager, onTaken } = this.#options;
    const { name, namespace, uid } = object.metadata;
    const key = { name, ...(namespace === undefined ? {} : { namespace }) };
    // With its uid: another object of this name has made nothing yet.
    const patch = mergePatch({ metadata: { uid, annotations: { ...this.#forgotten(object), [this.#annotation]: text } } });
    try {
      informer.written((await client.patch(kind, key as never, patch as never, { fieldManager, signal })) as StoredObject);
      if (isTaken) onTaken?.();
    } catch (error) {
      // The owner went during the run: its children follow it, and there is nothing to remember.
      if (!isNotFound(error) || error.status.details?.name !== name) throw error;
    }
  }

  /** The memory under the present name and the former ones. */
  #memory({ metadata: { annotations = {} } }: StoredObject): Made {
    const all: Record<string, readonly string[]> = {};
    for (const annotation of [this.#annotation, ...this.#former])
      for (const [handle, names] of Object.entries(recordOf(annotations[annotation])))
        if (Array.isArray(names)) all[handle] = [...(all[handle] ?? []), ...(names as readonly string[])];
    return all;
  }

  /** Takes off the annotations of before. */
  #forgotten({ metadata: { annotations = {} } }: StoredObject): Readonly<Record<string, null>> {
    return Object.fromEntries(this.#former.flatMap((annotation) => (annotations[annotation] === undefined ? [] : [[annotation, null]])));
  }
}
