import type { KindInfo } from '../../kubernetes/index.js';
import type { UntypedObject } from '../client/index.js';
import type { InvalidObject, StoredObject } from './informer.js';
import type { Interner } from './interner.js';
import { textOf } from './text-of.js';

/** Changes objects before they are held, for example drops what nobody reads. It must leave their identity alone. */
export type Transform = (object: UntypedObject, kind: KindInfo) => UntypedObject;

export interface IntakeOptions {
  readonly kind: KindInfo;
  readonly metadataOnly: boolean;
  readonly interner: Interner;
  readonly transform: Transform | undefined;
  /** For tests: who changes an object that all share gets an error. */
  readonly freeze: boolean;
}

export interface Taken {
  readonly object: StoredObject;
  readonly problem?: string | undefined;
}

/** Makes of what came over the wire what is held: without `managedFields`, transformed, with its equal parts shared. */
export class Intake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** The object as the watch told it; it must be nobody else's. One that cannot be transformed is held as it came (H21). */
  take(object: StoredObject): Taken {
    const bare = this.#bare(object);
    const { transform } = this.#options;
    if (transform === undefined) return { object: this.#shared(bare) };
    try {
      return { object: this.#shared(this.#transformed(bare, transform)) };
    } catch (error) {
      return { object: this.#shared(bare), problem: `transform: ${textOf(error)}` };
    }
  }

  /** The answer of an own write, which belongs to the caller: it is copied where it would be changed. */
  takeOwn(object: StoredObject): StoredObject {
    const bare = this.#bare(object);
    const { transform, freeze } = this.#options;
    if (transform === undefined && !freeze) return bare;
    return this.take(structuredClone(bare)).object;
  }

  #bare(object: StoredObject): StoredObject {
    const { managedFields: _, ...metadata } = object.metadata;
    const { apiVersion, kind } = object;
    // A copy, not `delete`: that would turn the metadata of every object into a hash table.
    return this.#options.metadataOnly ? { apiVersion, kind, metadata } : { ...object, metadata };
  }

  #transformed(object: StoredObject, transform: Transform): StoredObject {
    const { name, namespace, uid, resourceVersion } = object.metadata;
    // On a copy: what a transform has changed before it throws must not be held.
    const transformed = transform(structuredClone(object), this.#options.kind) as StoredObject;
    const after = transformed.metadata;
    if (after.name !== name || after.namespace !== namespace || after.uid !== uid || after.resourceVersion !== resourceVersion)
      throw new TypeError('name, namespace, uid and resourceVersion must stay as they are');
    return transformed;
  }

  #shared(object: StoredObject): StoredObject {
    const shared = this.#options.interner.share(object);
    return this.#options.freeze ? deepFreeze(shared) : shared;
  }
}

/** What lacks in an object that cannot be told from others; `undefined` when nothing does. Metadata is judged first, whatever else is in it (H21). */
export function unkeyed(object: unknown): InvalidObject | undefined {
  const { metadata } = (object ?? {}) as { metadata?: unknown };
  if (typeof metadata !== 'object' || metadata === null) return { key: undefined, message: 'it has no metadata' };
  const { name, namespace, resourceVersion } = metadata as Record<string, unknown>;
  if (typeof name !== 'string' || name === '') return { key: undefined, message: 'it has no metadata.name' };
  if (typeof resourceVersion === 'string') return undefined;
  return { key: { name, namespace: typeof namespace === 'string' ? namespace : undefined }, message: 'it has no metadata.resourceVersion' };
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
