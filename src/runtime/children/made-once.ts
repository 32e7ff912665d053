import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import type { Informer, StoredObject } from '../cache/index.js';
import { type ApiClient, isNotFound, mergePatch } from '../client/index.js';
import { madeAnnotation, type Owner } from './marks.js';

type Made = Readonly<Record<string, readonly string[]>>;

/** The names that an annotation's text has for a handle. */
function namesIn(text: string | undefined, handle: string): readonly string[] {
  const names: unknown = recordOf(text)[handle];
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [];
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
}

/**
 * Remembers in an annotation of the owner which children were made once, so that neither a deletion of theirs nor a restart makes them again.
 *
 * Only names that are still desired are kept, so that it stays small. It is written after the child: a child that is there says the same.
 */
export class MadeOnce {
  readonly #options: MadeOnceOptions;
  readonly #annotation: string;

  constructor(options: MadeOnceOptions) {
    this.#options = options;
    this.#annotation = madeAnnotation(options.fieldManager);
  }

  /** The names that the owner remembers for a handle. */
  names(owner: Owner, handle: string): readonly string[] {
    return namesIn(this.#textOf(this.#newest(owner)), handle);
  }

  /** The owner with the newest annotation: the run may have begun before it was written. */
  #newest({ object }: Owner): StoredObject {
    const { name, namespace, uid } = object.metadata;
    const held = this.#options.informer.get({ name, ...(namespace === undefined ? {} : { namespace }) });
    return held?.metadata.uid === uid ? held : object;
  }

  async remember(owner: Owner, handle: string, names: readonly string[], signal: AbortSignal): Promise<void> {
    const object = this.#newest(owner);
    const before = this.#textOf(object);
    const sorted = [...names].sort();
    if (JSON.stringify(sorted) === JSON.stringify([...namesIn(before, handle)].sort())) return;
    const { [handle]: _, ...others } = recordOf(before);
    const record = sorted.length === 0 ? others : { ...others, [handle]: sorted };
    const text = Object.keys(record).length === 0 ? null : JSON.stringify(record);
    const { client, kind, informer, fieldManager } = this.#options;
    const { name, namespace, uid } = object.metadata;
    const key = { name, ...(namespace === undefined ? {} : { namespace }) };
    // With its uid: another object of this name has made nothing yet.
    const patch = mergePatch({ metadata: { uid, annotations: { [this.#annotation]: text } } });
    try {
      informer.written((await client.patch(kind, key as never, patch as never, { fieldManager, signal })) as StoredObject);
    } catch (error) {
      // The owner went during the run: its children follow it, and there is nothing to remember.
      if (!isNotFound(error) || error.status.details?.name !== name) throw error;
    }
  }

  #textOf({ metadata }: StoredObject): string | undefined {
    return metadata.annotations?.[this.#annotation];
  }
}
