import type { Logger } from '../../definition/index.js';
import { equalJson, type KindInfo } from '../../kubernetes/index.js';
import type { Informer, StoredObject } from '../cache/index.js';
import { type ApiClient, isNotFound, mergePatch } from '../client/index.js';
import { conditionsOf, type StatusFields } from './next-status.js';

export interface StatusWriterOptions {
  readonly client: Pick<ApiClient, 'status'>;
  readonly log: Logger;
  readonly kind: KindInfo;
  readonly informer: Informer;
  readonly fieldManager: string;
}

/** The status that was applied last, and the object's status then, where it has more. */
interface Written {
  readonly desired: StatusFields;
  readonly answered: unknown;
}

/**
 * Writes the status of reconciled objects by server-side apply, only when it differs.
 *
 * Fields that others keep in the same status are left alone; those that were applied before and are not any more are removed.
 */
export class StatusWriter {
  readonly #options: StatusWriterOptions;
  /** By uid. */
  readonly #written = new Map<string, Written>();
  #hasWarned = false;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
  }

  /**
   * @param how `merge` for an object that does not fit its schema: the server cannot apply anything to it
   * @returns whether it was written
   */
  async write(object: StoredObject, desired: StatusFields, signal: AbortSignal, how: 'apply' | 'merge' = 'apply'): Promise<boolean> {
    const { uid } = object.metadata;
    const written = this.#written.get(uid);
    const live = object['status'];
    if (isSameStatus(live, desired)) return false;
    // Others write into this status as well: theirs is there, ours is as it was.
    if (written !== undefined && isSameStatus(written.desired, desired) && equalJson(written.answered, live)) return false;
    const answer = await (how === 'apply' ? this.#apply(object, desired, signal) : this.#merge(object, desired, signal)).catch(
      (error: unknown) => {
        if (isGone(error, object)) return undefined;
        throw error;
      },
    );
    // The watch will report it; there is no object left to write to.
    if (answer === undefined) return false;
    // Where both are the same the object itself shows it.
    if (isSameStatus(answer['status'], desired)) this.#written.delete(uid);
    else this.#written.set(uid, { desired, answered: answer['status'] });
    this.#options.informer.written(answer);
    this.#warnIfIgnored(object, answer);
    return answer.metadata.resourceVersion !== object.metadata.resourceVersion;
  }

  forget(uid: string): void {
    this.#written.delete(uid);
  }

  async #apply({ metadata: { name, namespace, uid } }: StoredObject, status: StatusFields, signal: AbortSignal): Promise<StoredObject> {
    const { client, kind, fieldManager } = this.#options;
    const key = { name, ...(namespace === undefined ? {} : { namespace }) };
    // With its uid: a status is never written to another object of this name, nor does it create one (H46).
    const body = { metadata: { ...key, uid }, status };
    return (await client.status(kind).apply(key as never, body as never, { fieldManager, force: true, signal })) as StoredObject;
  }

  async #merge({ metadata: { name, namespace, uid } }: StoredObject, status: StatusFields, signal: AbortSignal): Promise<StoredObject> {
    const { client, kind, fieldManager } = this.#options;
    const key = { name, ...(namespace === undefined ? {} : { namespace }) };
    const patch = mergePatch({ metadata: { uid }, status });
    return (await client.status(kind).patch(key as never, patch, { fieldManager, signal })) as StoredObject;
  }

  /** A status that the server drops without a word (H51). */
  #warnIfIgnored(before: StoredObject, answer: StoredObject): void {
    if (this.#hasWarned || answer['status'] !== undefined || answer.metadata.resourceVersion !== before.metadata.resourceVersion) return;
    this.#hasWarned = true;
    const { kind } = this.#options;
    this.#options.log.warn(
      `the API server drops the status of ${kind.kind}: install the CRD of this release, whose status subresource is on`,
    );
  }
}

/** The object, not the resource: a CRD without a status subresource answers with 404 as well, and names none. */
function isGone(error: unknown, { metadata: { name } }: StoredObject): boolean {
  return isNotFound(error) && error.status.details?.name === name;
}

function isSameStatus(live: unknown, desired: StatusFields): boolean {
  if (live === undefined) return Object.values(desired).every((value) => value === undefined);
  if (typeof live !== 'object' || live === null) return false;
  const { conditions: _, ...fields } = live as StatusFields;
  const { conditions: __, ...wanted } = desired;
  return equalJson(fields, wanted) && equalJson(byType(live as StatusFields), byType(desired));
}

/** The server keeps the conditions in its own order. */
function byType(status: StatusFields): Readonly<Record<string, unknown>> {
  return Object.fromEntries(conditionsOf(status).map((condition) => [condition.type, condition]));
}
