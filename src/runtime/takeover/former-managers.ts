import { apiVersionOf, type KindInfo } from '@keelson/kubernetes/apimachinery';
import type { ControllerModel, Logger } from 'keelson/internal/definition';
import type { StoredObject } from '../cache/index.js';
import { type ApiClient, isConflict, isNotFound, jsonPatch } from '../client/index.js';
import { takenOver } from './taken-over.js';

/** Names of field managers: a set, or a rule. */
export interface ManagerNames {
  has(manager: string): boolean;
}

export interface FormerManagersOptions {
  readonly client: Pick<ApiClient, 'get' | 'patch'>;
  readonly log: Logger;
  readonly names: ManagerNames;
  readonly fieldManager: string;
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
  /** Objects whose status has been looked at. */
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

  /** Once for each object in the life of the process. */
  async takeStatus(kind: KindInfo, object: StoredObject, signal: AbortSignal): Promise<void> {
    const { uid } = object.metadata;
    if (this.#seen.has(uid)) return;
    await this.#take(kind, object, 'status', signal);
    this.#seen.add(uid);
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
    const { client, fieldManager, log } = this.#options;
    // The cache has no managed fields.
    const { metadata } = (await client.get(kind, key as never, { signal })) as StoredObject;
    const handover = { from: this.#options.names, to: fieldManager, apiVersion: apiVersionOf(kind), subresource };
    const entries = metadata.uid === uid ? takenOver(metadata.managedFields ?? [], handover) : undefined;
    if (entries === undefined) return;
    const steps = jsonPatch([
      { op: 'replace', path: '/metadata/managedFields', value: entries },
      // A change in between answers Conflict.
      { op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
    ]);
    // Those of the status too: a patch of the subresource leaves them as they are.
    await client.patch(kind, key as never, steps, { fieldManager, signal });
    log.info('fields of a former field manager taken over', { kind: kind.kind, ...key, ...(subresource === '' ? {} : { subresource }) });
  }
}

/** Nothing where the controller names none, and no other instance can have written what it gets. */
export function formerManagersOf(
  { formerFieldManagers }: Pick<ControllerModel, 'formerFieldManagers'>,
  { others, ...options }: Omit<FormerManagersOptions, 'names'> & { readonly others?: ManagerNames | undefined },
): FormerManagers | undefined {
  if (formerFieldManagers === undefined && others === undefined) return undefined;
  const former = new Set(formerFieldManagers);
  return new FormerManagers({ ...options, names: { has: (manager) => former.has(manager) || others?.has(manager) === true } });
}
