import { equalJson, type KindInfo, type StructuralSchema } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';
import type { Informer, StoredObject } from '../cache/index.js';
import { type ApiClient, isConflict, isInvalid, isNotFound, mergePatch } from '../client/index.js';
import type { FormerManagers } from '../takeover/index.js';
import { emptiedIn, hasEmpties, isRefused, patchOf } from './emptied.js';
import { byType, LeftStatuses, type StatedNames } from './left-statuses.js';
import { isFailureFlag } from './next-status.js';
import { Share } from './share.js';
import { conditionsOf, type StatusFields } from './status-fields.js';
import { statusSchemaOf } from './status-form.js';

export interface StatusWriterOptions {
  readonly client: Pick<ApiClient, 'list' | 'status'>;
  readonly log: Logger;
  readonly kind: KindInfo;
  readonly informer: Informer;
  readonly fieldManager: string;
  /** @defaultValue all of the status */
  readonly share?: Share | undefined;
  /** Field managers whose fields of the status become one's own. @defaultValue none */
  readonly formerManagers?: FormerManagers | undefined;
  /** A write has removed something that is in the share of another controller: it was this one's in a release before. */
  readonly onLost?: ((controller: string, object: StoredObject) => void) | undefined;
  /** Others have changed the status while this writer was writing it; {@link StatusWriter.hears} does not say so. */
  readonly onOthers?: ((object: StoredObject) => void) | undefined;
}

export interface WriteOptions {
  /**
   * Fields of the stored status that have wrong types, for an object that does not fit its schema, here or elsewhere: the server cannot apply anything to it, so
   * the status is merged, and these fields become what is desired.
   */
  readonly unfit?: readonly string[] | undefined;
  /** @defaultValue all of the share: what is not desired is to be gone */
  readonly stated?: StatedNames | undefined;
}

interface Merging {
  readonly signal: AbortSignal;
  readonly unfit: readonly string[];
}

/** One status to be written. */
interface Write {
  readonly desired: StatusFields;
  readonly unfit: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** As often as client-go's `retry.DefaultRetry`. Each try but the last has met another writer of the same object. */
const TRIES = 5;

/** The status that was applied last, and the object's status then, where it has more. */
interface Written {
  readonly desired: StatusFields;
  readonly answered: unknown;
}

/**
 * Writes the status of reconciled objects by server-side apply, only when it differs.
 *
 * Guarantees: a status is never written to another object of the same name, and creates none (H46). Fields and conditions that others keep in the same status
 * are left alone; those that were applied before and are not any more are removed.
 * Errors: a ConflictError when others have changed the object between each of five reads and writes.
 */
export class StatusWriter {
  readonly #options: StatusWriterOptions;
  /** By uid. */
  readonly #written = new Map<string, Written>();
  readonly #left: LeftStatuses;
  /** Uids of objects whose status is being written. */
  readonly #underway = new Set<string>();
  readonly #share: Share;
  readonly #schema: StructuralSchema | undefined;
  #hasWarned = false;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
    this.#share = options.share ?? new Share({});
    this.#left = new LeftStatuses(this.#share);
    this.#schema = statusSchemaOf(options.kind);
  }

  /** @returns whether it was written */
  async write(object: StoredObject, desired: StatusFields, signal: AbortSignal, options: WriteOptions = {}): Promise<boolean> {
    const { uid } = object.metadata;
    const { unfit, stated = {} } = options;
    const written = this.#written.get(uid);
    const live = this.#share.of(object['status'] as StatusFields | undefined);
    // Others write into this status as well: theirs is there, ours is as it was.
    const isAsWritten = written !== undefined && isSameStatus(written.desired, desired) && equalJson(written.answered, live);
    if (isAsWritten || isSameStatus(live, desired)) {
      this.#left.leave(uid, object['status'], { desired, stated });
      return false;
    }
    this.#underway.add(uid);
    try {
      await this.#options.formerManagers?.takeStatus(this.#options.kind, object, signal);
      const answer = await this.#settle(object, { desired, unfit, signal });
      // The watch will report it; there is no object left to write to.
      if (answer === undefined) return false;
      this.#take(answer, { desired, stated });
      this.#warnIfIgnored(object, answer);
      this.#tellLosers(object, answer);
      return answer.metadata.resourceVersion !== object.metadata.resourceVersion;
    } finally {
      this.#underway.delete(uid);
    }
  }

  /**
   * Whether another client has changed what this writer states of the status. `true` once for each change. During a write it is known with the answer, which
   * may come after its event.
   */
  hears(object: StoredObject): boolean {
    const { uid } = object.metadata;
    return !this.#underway.has(uid) && this.#left.hears(uid, this.#shown(object)['status']);
  }

  /** The status is left to others from now on. */
  letGo(uid: string): void {
    this.#left.forget(uid);
  }

  forget(uid: string): void {
    this.#written.delete(uid);
    this.#left.forget(uid);
    this.#options.formerManagers?.forget(uid);
  }

  #take(answer: StoredObject, statement: { readonly desired: StatusFields; readonly stated: StatedNames }): void {
    const { uid, resourceVersion } = answer.metadata;
    const { desired } = statement;
    // Where both are the same the object itself shows it.
    const answered = this.#share.of(answer['status'] as StatusFields | undefined);
    if (isSameStatus(answered, desired)) this.#written.delete(uid);
    else this.#written.set(uid, { desired, answered });
    this.#options.informer.written(answer);
    const shown = this.#shown(answer);
    const isAnswer = shown.metadata.resourceVersion === resourceVersion;
    // The cache's form of it: a cache may leave out unused fields.
    this.#left.leave(uid, (isAnswer ? shown : answer)['status'], statement);
    if (!isAnswer && this.#left.hears(uid, shown['status'])) this.#options.onOthers?.(shown);
  }

  /** The object as reads show it: not behind an own write, as its events may be. */
  #shown(object: StoredObject): StoredObject {
    const { name, namespace, uid } = object.metadata;
    const shown = this.#options.informer.get(namespace === undefined ? { name } : { name, namespace });
    return shown?.metadata.uid === uid ? shown : object;
  }

  /**
   * Each write names the version of the object that it is meant for. For the status of a custom resource the API server leaves the uid of the body aside, so
   * that only the version keeps it from the successor of the object (H46). Mostly the object has merely changed: the write is repeated upon what it is now.
   *
   * @returns the object with its status; `undefined` when it is gone
   */
  async #settle(object: StoredObject, write: Write): Promise<StoredObject | undefined> {
    for (let [current, left] = [object, TRIES]; ; left -= 1) {
      try {
        return await this.#send(current, write);
      } catch (error) {
        if (isGone(error, object)) return undefined;
        if (!isConflict(error) || left === 1) throw error;
      }
      const live = await this.#read(object, write.signal);
      if (live === undefined) return undefined;
      // The answer of an earlier try was lost.
      if (isSameStatus(this.#share.of(live['status'] as StatusFields | undefined), write.desired)) return live;
      current = live;
    }
  }

  #send(object: StoredObject, { desired, unfit, signal }: Write): Promise<StoredObject> {
    if (unfit === undefined) return this.#apply(object, desired, signal).then((answer) => this.#withoutFlags(answer, desired, signal));
    const live = this.#share.of(object['status'] as StatusFields | undefined);
    return this.#merge(object, mended(live, desired, unfit), { signal, unfit });
  }

  /**
   * Removes the flags of a failure that is over, if a merge patch wrote them: they belong to an update of this manager, and an apply leaves them.
   */
  async #withoutFlags(answer: StoredObject, desired: StatusFields, signal: AbortSignal): Promise<StoredObject> {
    const stated = new Set(conditionsOf(desired).map(({ type }) => type));
    const own = conditionsOf(this.#share.of(answer['status'] as StatusFields | undefined));
    const left = new Set(own.filter((condition) => isFailureFlag(condition) && !stated.has(condition.type)).map(({ type }) => type));
    if (left.size === 0) return answer;
    const conditions = conditionsOf(answer['status'] as StatusFields | undefined).filter(({ type }) => !left.has(type));
    return this.#patch(answer, { conditions }, signal);
  }

  /**
   * The object as it is now; `undefined` if it is gone, or another one has its name. A list of one: the rights of the cache suffice for it, where those of many
   * controllers hold no `get`.
   */
  async #read({ metadata: { name, namespace, uid } }: StoredObject, signal: AbortSignal): Promise<StoredObject | undefined> {
    const { client, kind } = this.#options;
    const selection = { ...(namespace === undefined ? {} : { namespace }), fieldSelector: { 'metadata.name': name } };
    const { items } = await client.list(kind, { ...selection, signal } as never);
    return (items as readonly StoredObject[]).find((item) => item.metadata.uid === uid);
  }

  /**
   * Server-side apply cannot empty a list or a map that its manager owns element by element: it goes away, or becomes null, and where the schema asks for it the status
   * is refused. kube-apiserver does so. After a refusal a merge patch empties the refused ones; a list or map that went away comes back with a second apply.
   */
  async #apply(object: StoredObject, status: StatusFields, signal: AbortSignal): Promise<StoredObject> {
    const schema = this.#schema;
    const emptied = emptiedIn(this.#share.of(object['status'] as StatusFields | undefined), status, schema);
    const answer = await this.#applyOnce(object, status, signal).catch(async (error: unknown) => {
      // Only the refused fields are emptied: the others may hold elements of other managers.
      const fields = isInvalid(error) ? error.causes.map(({ field }) => field) : [];
      const refused = emptied.filter((part) => isRefused(part, fields));
      if (refused.length === 0) throw error;
      const patch = patchOf(refused);
      const emptiedObject = await ('conditions' in patch
        ? this.#merge(object, patch, { signal, unfit: [] })
        : this.#patch(object, patch, signal));
      return this.#applyOnce(emptiedObject, status, signal);
    });
    const isWhole = emptied.length === 0 || hasEmpties(answer['status'], status, schema);
    return isWhole ? answer : this.#applyOnce(answer, status, signal);
  }

  async #applyOnce({ metadata }: StoredObject, status: StatusFields, signal: AbortSignal): Promise<StoredObject> {
    const { client, kind, fieldManager } = this.#options;
    const { name, namespace, uid, resourceVersion } = metadata;
    const key = { name, ...(namespace === undefined ? {} : { namespace }) };
    const body = { metadata: { ...key, uid, resourceVersion }, status };
    return (await client.status(kind).apply(key as never, body as never, { fieldManager, force: true, signal })) as StoredObject;
  }

  async #merge(object: StoredObject, status: StatusFields, { signal, unfit }: Merging): Promise<StoredObject> {
    // Such a patch replaces the list of conditions: those of others go into it.
    const beside = unfit.includes('conditions') ? [] : this.#share.conditionsBeside(object['status'] as StatusFields | undefined);
    const whole = beside.length === 0 ? status : { ...status, conditions: [...beside, ...conditionsOf(status)] };
    return this.#patch(object, whole, signal);
  }

  async #patch({ metadata }: StoredObject, status: StatusFields, signal: AbortSignal): Promise<StoredObject> {
    const { client, kind, fieldManager } = this.#options;
    const { name, namespace, uid, resourceVersion } = metadata;
    const key = { name, ...(namespace === undefined ? {} : { namespace }) };
    const patch = mergePatch({ metadata: { uid, resourceVersion }, status });
    return (await client.status(kind).patch(key as never, patch, { fieldManager, signal })) as StoredObject;
  }

  #tellLosers(before: StoredObject, answer: StoredObject): void {
    const [earlier, now] = [before['status'], answer['status']] as readonly (StatusFields | undefined)[];
    for (const name of this.#share.losersBetween(earlier, now)) this.#options.onLost?.(name, answer);
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

/** The desired status as a merge patch that leaves nothing of the named fields. */
function mended(live: unknown, desired: StatusFields, unfit: readonly string[]): StatusFields {
  const stored = isFields(live) ? live : {};
  return { ...desired, ...Object.fromEntries(unfit.map((field) => [field, replacing(stored[field], desired[field])])) };
}

/** The merge patch that turns one value into another; `null` removes a field. */
function replacing(before: unknown, after: unknown): unknown {
  if (after === undefined) return null;
  if (!isFields(before) || !isFields(after)) return after;
  const removed = Object.keys(before).filter((field) => after[field] === undefined);
  return {
    ...Object.fromEntries(removed.map((field) => [field, null])),
    ...Object.fromEntries(Object.entries(after).map(([field, value]) => [field, replacing(before[field], value)])),
  };
}

function isFields(value: unknown): value is StatusFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
