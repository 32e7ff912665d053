import { apiVersionOf, type KindInfo } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';
import type { StoredObject } from '../cache/index.js';
import { type ApiClient, isConflict, isNotFound, jsonPatch } from '../client/index.js';
import { type Handover, takenOver } from './taken-over.js';

/** Names of field managers: a set, or a rule. */
export interface ManagerNames {
  has(manager: string): boolean;
}

export interface FormerManagersOptions {
  readonly client: Pick<ApiClient, 'get' | 'patch'>;
  readonly log: Logger;
  /** Field managers of releases before, of other instances, and of operators whose place this one takes. */
  readonly names: ManagerNames;
  readonly fieldManager: string;
  /** Fields have been taken over. */
  readonly onTaken?: ((what: 'child' | 'status') => void) | undefined;
}

/** The former operator may still write while it ends. */
const ATTEMPTS = 5;

/**
 * Makes fields of former field managers one's own, before the first apply to an object.
 *
 * Guarantees: no value changes; nothing is written where a former manager has no fields, nor to another object of that name.
 * Errors: those of the client; a conflict is tried again from the newest state.
 */
export class FormerManagers {
  readonly #options: FormerManagersOptions;
  /** Objects whose status has been looked at, and those that a handle has applied. */
  readonly #seen = new Set<string>();

  constructor(options: FormerManagersOptions) {
    this.#options = options;
  }

  /** Whether a mark of what was applied is that of a former manager: an operator of keelson under another name. */
  has(manager: string): boolean {
    return this.#options.names.has(manager);
  }

  async takeObject(kind: KindInfo, object: StoredObject, signal: AbortSignal): Promise<void> {
    await this.#take(kind, object, '', signal);
  }

  /** As {@link takeObject}, of an object without the mark of what was applied: once for each in the life of the process. */
  async takeApplied(kind: KindInfo, object: StoredObject, signal: AbortSignal): Promise<void> {
    const { uid } = object.metadata;
    if (this.#seen.has(uid)) return;
    await this.takeObject(kind, object, signal);
    this.#seen.add(uid);
  }

  /** Once for each object in the life of the process. */
  async takeStatus(kind: KindInfo, object: StoredObject, signal: AbortSignal): Promise<void> {
    const { uid } = object.metadata;
    if (this.#seen.has(uid)) return;
    await this.#take(kind, object, 'status', signal);
    this.#seen.add(uid);
  }

  /** Whether an object that was just read has fields of its status to take over. */
  isDue(kind: KindInfo, { metadata }: StoredObject): boolean {
    const handover = this.#handover(kind, 'status');
    return !this.#seen.has(metadata.uid) && takenOver(metadata.managedFields ?? [], handover) !== undefined;
  }

  forget(uid: string): void {
    this.#seen.delete(uid);
  }

  async #take(kind: KindInfo, { metadata }: StoredObject, subresource: '' | 'status', signal: AbortSignal): Promise<void> {
    const { name, namespace, uid } = metadata;
    const key = { name, ...(namespace === undefined ? {} : { namespace }) };
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#takeOnce(kind, { key, uid }, subresource, signal);
        return;
      } catch (error) {
        // An object that is gone leaves nothing to take over; the watch will report it.
        if (isNotFound(error)) return;
        if (!isConflict(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #takeOnce(
    kind: KindInfo,
    { key, uid }: { readonly key: { readonly name: string }; readonly uid: string },
    subresource: '' | 'status',
    signal: AbortSignal,
  ): Promise<void> {
    const { client, fieldManager, log, onTaken } = this.#options;
    // The cache has no managed fields.
    const { metadata } = (await client.get(kind, key as never, { signal })) as StoredObject;
    const entries = metadata.uid === uid ? takenOver(metadata.managedFields ?? [], this.#handover(kind, subresource)) : undefined;
    if (entries === undefined) return;
    const steps = jsonPatch([
      { op: 'replace', path: '/metadata/managedFields', value: entries },
      // A change in between answers Conflict.
      { op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
    ]);
    // Those of the status too: a patch of the subresource leaves them as they are.
    await client.patch(kind, key as never, steps, { fieldManager, signal });
    onTaken?.(subresource === '' ? 'child' : 'status');
    log.info('fields of a former field manager taken over', { kind: kind.kind, ...key, ...(subresource === '' ? {} : { subresource }) });
  }

  #handover(kind: KindInfo, subresource: '' | 'status'): Handover {
    return { from: this.#options.names, to: this.#options.fieldManager, apiVersion: apiVersionOf(kind), subresource };
  }
}

/** @returns `undefined` without names: no name but the present one can stand on an object */
export function formerManagersOf({
  names,
  others,
  ...options
}: Omit<FormerManagersOptions, 'names'> & {
  readonly names: readonly string[];
  /** Those of other instances. @defaultValue none */
  readonly others?: ManagerNames | undefined;
}): FormerManagers | undefined {
  if (names.length === 0 && others === undefined) return undefined;
  const former = new Set(names);
  return new FormerManagers({ ...options, names: { has: (manager) => former.has(manager) || others?.has(manager) === true } });
}
