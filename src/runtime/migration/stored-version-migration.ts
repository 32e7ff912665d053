import { compareUtf8, type KindInfo, messageOf, type ObjectMeta } from '@keelson/kubernetes/apimachinery';
import { CustomResourceDefinition } from '@keelson/kubernetes/kinds';
import type { CustomResourceModel, Logger } from 'keelson/internal/definition';
import { type ApiClient, isConflict, isExpired, isInvalid, isNotFound, jsonPatch, mergePatch, metadataOf } from '../client/index.js';
import { type Clock, pause } from '../clock/index.js';
import { type Backoff, fullJitter } from '../http/index.js';
import { type CrdState, crdStateOf } from './crd-state.js';
import { PROGRESS_ANNOTATION, type Progress, planFor, progressOf, progressText } from './plan.js';
import { rewriteObject } from './rewrite-object.js';

/** Counters for metrics. */
export interface MigrationObserver {
  rewrote?(crd: string, result: 'ok' | 'error'): void;
}

export interface StoredVersionMigrationOptions {
  readonly client: Pick<ApiClient, 'get' | 'patch' | 'pages' | 'status'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random?: (() => number) | undefined;
  readonly resource: CustomResourceModel;
  readonly observer?: MigrationObserver | undefined;
  /**
   * Pause before the first object: API servers that have not heard of the new storage version yet would still store objects in the old one.
   * @defaultValue 30000, 30 seconds
   */
  readonly settleMs?: number | undefined;
  /** Objects that are written at the same time. @defaultValue 8 */
  readonly concurrency?: number | undefined;
  /** Objects after which progress is kept. @defaultValue 250 */
  readonly pageSize?: number | undefined;
}

const BACKOFF: Backoff = Object.freeze({ baseMs: 2_000, maxMs: 300_000 });
/** Another release's CRD is installed, or none: neither is a fault of the cluster's. */
const WAIT_MS = 60_000;
/** Names of objects in a message. */
const MOST_NAMED = 5;

/**
 * Brings the stored objects of one custom resource to its storage version, and the CRD's `status.storedVersions` with them, so that an old version can be dropped.
 *
 * Flow: read the CRD → objects page by page in the order of their keys, each written without a change → after each page the last key goes to an annotation of the
 * CRD → with the last page `storedVersions` becomes the storage version alone. Nothing to do costs one read.
 * Guarantees: killed at any point, the next run goes on after the last page; `storedVersions` changes only when every object has been written under one and the
 * same generation of the CRD; what fails is tried again with growing pauses, and leaves the operator alone.
 * Assumptions: a leader runs it; every namespace may be listed and patched.
 */
export class StoredVersionMigration {
  readonly #options: StoredVersionMigrationOptions;
  readonly #crdName: string;
  readonly #kind: KindInfo;
  #lastProblem: string | undefined;

  constructor(options: StoredVersionMigrationOptions) {
    this.#options = options;
    const { group, plural, kind, scope, versionList, storageVersion } = options.resource;
    this.#crdName = `${plural}.${group}`;
    const served =
      versionList.find(({ name, served: isServed }) => isServed && name === storageVersion) ??
      versionList.find((version) => version.served);
    this.#kind = metadataOf({ group, version: served?.name ?? storageVersion, kind, plural, scope, subresources: [] });
  }

  /** Resolves when nothing is left to be done, or the signal is aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, random = Math.random } = this.#options;
    for (let failures = 0; !signal.aborted; ) {
      try {
        const next = await this.#attempt(signal);
        if (next === 'done') return;
        await pause(clock, WAIT_MS, signal);
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        this.#say('stored versions cannot be migrated yet; trying again', { error });
        await pause(clock, fullJitter(BACKOFF, failures, random), signal);
      }
    }
  }

  async #attempt(signal: AbortSignal): Promise<'done' | 'later'> {
    const { resource, clock, settleMs = 30_000 } = this.#options;
    const crd = await this.#crd(signal);
    if (crd === undefined) return this.#later(`the CRD ${this.#crdName} is not installed`);
    const plan = planFor(crd, resource.storageVersion);
    if (plan.do === 'nothing') return 'done';
    if (plan.do === 'wait') return this.#later(plan.why);
    if (plan.after === undefined) await pause(clock, settleMs, signal);
    signal.throwIfAborted();
    await this.#rewriteAll(crd, plan.after, signal);
    await this.#finish(crd, signal);
    return 'done';
  }

  async #rewriteAll(crd: CrdState, after: string | undefined, signal: AbortSignal): Promise<void> {
    const { client, log, pageSize = 250 } = this.#options;
    const failed: { readonly key: string; readonly error: unknown }[] = [];
    let done = after;
    let objects = 0;
    let isOrdered = true;
    log.info('bringing stored objects to the storage version', { crd: crd.name, from: crd.storedVersions, to: crd.storageVersion, after });
    for (;;) {
      try {
        for await (const { items } of client.pages(this.#kind, { limit: pageSize, signal } as never)) {
          const page = (items as readonly { readonly metadata: ObjectMeta }[])
            .map(({ metadata }) => ({ metadata, key: keyText(metadata) }))
            .filter(({ key }) => done === undefined || compareUtf8(key, done) > 0);
          objects += page.length;
          failed.push(...(await this.#rewritePage(page, crd, signal)));
          const last = page.at(-1)?.key;
          isOrdered &&= isAscending(page);
          // Up to the first failure only: what comes after it is written again with it. One key says where to go on in the order of keys alone.
          if (failed.length > 0 || !isOrdered || last === undefined) continue;
          done = last;
          await this.#keep({ ...progressOf(crd), generation: crd.generation, after: done }, signal);
        }
        break;
      } catch (error) {
        // Pages that have grown too old: those that are done are left out the next time.
        if (!isExpired(error)) throw error;
      }
    }
    if (failed.length > 0) throw failedError(crd.name, failed);
    log.info('all stored objects are in the storage version', { crd: crd.name, objects });
  }

  async #rewritePage(
    page: readonly { readonly metadata: ObjectMeta; readonly key: string }[],
    { servedVersions }: CrdState,
    signal: AbortSignal,
  ): Promise<{ readonly key: string; readonly error: unknown }[]> {
    const { client, observer, concurrency = 8 } = this.#options;
    const failed: { readonly key: string; readonly error: unknown }[] = [];
    const waiting = [...page];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        signal.throwIfAborted();
        try {
          await rewriteObject(next.metadata, { client, kind: this.#kind, servedVersions, signal });
          observer?.rewrote?.(this.#crdName, 'ok');
        } catch (error) {
          // Refusals of this object; all others concern the other objects too.
          if (!isInvalid(error) && !isConflict(error)) throw error;
          observer?.rewrote?.(this.#crdName, 'error');
          failed.push({ key: next.key, error });
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, page.length) }, work));
    return failed;
  }

  /** Objects that were written while the CRD changed may be stored as it was then: such a pass does not count. */
  async #finish(crd: CrdState, signal: AbortSignal): Promise<void> {
    const { client, log } = this.#options;
    const key = { name: crd.name };
    const steps = [
      { op: 'test', path: '/metadata/generation', value: crd.generation },
      { op: 'test', path: '/status/storedVersions', value: crd.storedVersions },
      { op: 'replace', path: '/status/storedVersions', value: [crd.storageVersion] },
    ] as const;
    if (crd.storedVersions.some((version) => version !== crd.storageVersion))
      await client.status(CustomResourceDefinition).patch(key, jsonPatch(steps), { signal });
    await this.#keep({ cleaned: crd.unservedVersions }, signal);
    log.info('the storage version is the only stored version', { crd: crd.name, version: crd.storageVersion });
  }

  async #keep(progress: Progress, signal: AbortSignal): Promise<void> {
    const patch = mergePatch({ metadata: { annotations: { [PROGRESS_ANNOTATION]: progressText(progress) } } });
    await this.#options.client.patch(CustomResourceDefinition, { name: this.#crdName }, patch as never, { signal });
  }

  async #crd(signal: AbortSignal): Promise<CrdState | undefined> {
    try {
      return crdStateOf(await this.#options.client.get(CustomResourceDefinition, { name: this.#crdName }, { signal }));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #later(why: string): 'later' {
    this.#say('stored versions are not migrated', { why });
    return 'later';
  }

  /** Once for each reason. */
  #say(message: string, fields: { readonly why?: string; readonly error?: unknown }): void {
    const problem = fields.why ?? messageOf(fields.error);
    const level = this.#lastProblem === problem ? 'debug' : 'warn';
    this.#lastProblem = problem;
    this.#options.log[level](message, { crd: this.#crdName, ...fields });
  }
}

function failedError(crd: string, failed: readonly { readonly key: string; readonly error: unknown }[]): Error {
  const named = failed.slice(0, MOST_NAMED).map(({ key, error }) => `${key} (${messageOf(error)})`);
  const more = failed.length > MOST_NAMED ? ` and ${failed.length - MOST_NAMED} more` : '';
  return new Error(
    `${failed.length} objects of ${crd} cannot be written without a change: ${named.join('; ')}${more}; correct or delete them`,
  );
}

/** As etcd orders them. */
function keyText({ namespace, name = '' }: ObjectMeta): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function isAscending(page: readonly { readonly key: string }[]): boolean {
  return page.every(({ key }, index) => index === 0 || compareUtf8(key, page[index - 1]?.key ?? '') > 0);
}
