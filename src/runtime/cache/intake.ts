import { deepFreeze, isRecord, type KindInfo, type ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { UntypedObject } from '../client/index.js';
import type { InvalidObject, StoredObject } from './informer.js';
import type { Interner } from './interner.js';
import { textOf } from './text-of.js';

/** Changes objects before they are held, for example drops unused fields. It must leave their identity alone; what it returns is frozen. */
export type Transform = (object: UntypedObject, kind: KindInfo) => UntypedObject;

export interface IntakeOptions {
  readonly kind: KindInfo;
  readonly metadataOnly: boolean;
  readonly interner: Interner;
  readonly transform: Transform | undefined;
}

export interface Taken {
  readonly object: StoredObject;
  readonly problem?: string | undefined;
}

/** Makes of what came over the wire what is held: without `managedFields`, transformed, with its equal parts shared, and frozen. */
export class Intake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** Takes an object of the watch; no other code may hold it. One that cannot be transformed is held as it came (H21). */
  take(object: StoredObject): Taken {
    const wrong = misfits(object.metadata);
    const bare = this.#bare(object, wrong);
    const { transform } = this.#options;
    // Null is how some servers write that there is nothing.
    const told = wrong.filter((field) => (object.metadata as unknown as Fields)[field] !== null).map((field) => `metadata.${field}`);
    if (told.length > 0)
      return { object: this.#shared(bare), problem: `${told.join(', ')}: of another type than Kubernetes has; left out` };
    if (transform === undefined) return { object: this.#shared(bare) };
    try {
      return { object: this.#shared(this.#transformed(bare, transform)) };
    } catch (error) {
      return { object: this.#shared(bare), problem: `transform: ${textOf(error)}` };
    }
  }

  /**
   * The answer of an own write, which its writer has too: both see the same parts, so that the answer is frozen as well.
   *
   * @returns what {@link take} would make of it, with its problem
   */
  takeOwn(object: StoredObject): Taken {
    // The writer's object must not become what a transform made of it.
    const taken = this.take(this.#options.transform === undefined ? object : structuredClone(object));
    freezeAnswer(object);
    return taken;
  }

  /** @param without fields of metadata that are left out */
  #bare(object: StoredObject, without: readonly string[]): StoredObject {
    const { managedFields: _, ...rest } = object.metadata;
    const metadata =
      without.length === 0 ? rest : (Object.fromEntries(Object.entries(rest).filter(([field]) => !without.includes(field))) as typeof rest);
    const { apiVersion, kind } = object;
    // A copy, not `delete`: that would turn the metadata of every object into a hash table.
    // V8 makes a hash table of a spread object when it is frozen, which takes 200 bytes more and is slower to read.
    return this.#options.metadataOnly ? { apiVersion, kind, metadata } : Object.assign({}, object, { metadata });
  }

  #transformed(object: StoredObject, transform: Transform): StoredObject {
    const { name, namespace, uid, resourceVersion } = object.metadata;
    // On a copy: what a transform has changed before it throws must not be held.
    const transformed = transform(structuredClone(object), this.#options.kind) as StoredObject;
    const after = transformed.metadata;
    if (after.name !== name || after.namespace !== namespace || after.uid !== uid || after.resourceVersion !== resourceVersion)
      throw new TypeError('name, namespace, uid and resourceVersion must stay as they are');
    // Its own: the function may return what it keeps, or what is frozen.
    return Object.assign({}, transformed, { metadata: Object.assign({}, after) });
  }

  #shared(object: StoredObject): StoredObject {
    return this.#options.interner.share(object);
  }
}

/** The field without which an object has no identity; `undefined` if none is missing. Metadata is judged first, whatever else is in it (H21). */
export function unkeyed(object: unknown): InvalidObject | undefined {
  const { metadata } = (object ?? {}) as { metadata?: unknown };
  if (!isRecord(metadata)) return { key: undefined, message: `it has no metadata${foundInstead(metadata)}` };
  const { name, namespace, uid, resourceVersion } = metadata;
  if (typeof name !== 'string' || name === '') return { key: undefined, message: `it has no metadata.name${foundInstead(name)}` };
  if (namespace !== undefined && typeof namespace !== 'string')
    return { key: undefined, message: `it has no metadata.namespace${foundInstead(namespace)}` };
  const key: ObjectKey = { name, namespace };
  if (uid !== undefined && typeof uid !== 'string') return { key, message: `it has no metadata.uid${foundInstead(uid)}` };
  if (typeof resourceVersion === 'string' && resourceVersion !== '') return undefined;
  return { key, message: `it has no metadata.resourceVersion${foundInstead(resourceVersion)}` };
}

function foundInstead(value: unknown): string {
  if (value === undefined || value === null || value === '') return '';
  return `, but ${Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`} there`;
}

/** All of it but `managedFields`, which is half of an answer, and which the cache does not share. */
function freezeAnswer(object: StoredObject): void {
  for (const [name, value] of Object.entries(object)) if (name !== 'metadata') deepFreeze(value);
  for (const [name, value] of Object.entries(object.metadata)) if (name !== 'managedFields') deepFreeze(value);
  Object.freeze(object.metadata);
  Object.freeze(object);
}

type Fields = Record<string, unknown>;

function isTextMap(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isListOf(isItem: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(isItem);
}

function isOwnerReference(value: unknown): boolean {
  return isRecord(value) && isText(value['apiVersion']) && isText(value['kind']) && isText(value['name']) && isText(value['uid']);
}

/** Fields of metadata that code reads without checks. No API server stores them otherwise; what stands before one may. */
const READ_BLINDLY: readonly (readonly [field: string, isRight: (value: unknown) => boolean])[] = [
  ['labels', isTextMap],
  ['annotations', isTextMap],
  ['finalizers', isListOf(isText)],
  ['ownerReferences', isListOf(isOwnerReference)],
  ['deletionTimestamp', isText],
  ['creationTimestamp', isText],
  ['generation', (value) => typeof value === 'number'],
];

/** The fields of metadata that are of another type than they should be. */
function misfits(metadata: object): string[] {
  const fields = metadata as Fields;
  return READ_BLINDLY.filter(([field, isRight]) => fields[field] !== undefined && !isRight(fields[field])).map(([field]) => field);
}
