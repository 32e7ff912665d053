import type { KindInfo, ObjectKey } from '@keelson/kubernetes/apimachinery';
import { type AdmissionWebhookModel, type ListOptions, namespaceMeant, type WatchModel } from 'keelson/internal/definition';
import { type Cache, type IndexFunction, type Informer, type StoredObject, withPresence } from '../cache/index.js';
import type { Given } from '../outside/index.js';
import { NoReview, WebhookServerError } from './errors.js';

type Handles = Readonly<Record<string, unknown>>;

interface Listing extends ListOptions {
  readonly index?: Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * The handles of an operator's webhooks: one for each name under `watches`, over the informers that its controllers use too.
 *
 * A handle throws `CacheNotSyncedError` until its informer holds a complete list, so a request that comes before waits for {@link synced}. A kind that the API
 * server does not serve is missing in every replica: it fails the requests of the webhooks that read it, and keeps no process out of service ({@link isReady}).
 */
export class AdmissionHandles {
  readonly #cache: Pick<Cache, 'synced'>;
  readonly #given: Given | undefined;
  readonly #informers: ReadonlyMap<string, Readonly<Record<string, Informer>>>;
  readonly #optional = new Set<Informer>();
  /** The only namespaces of a handle, where its declaration names them. */
  readonly #named = new Map<Informer, readonly string[]>();

  /** Asks the cache for its informers, so that they are filled with the others. @param given what webhooks use from outside */
  constructor(webhooks: readonly AdmissionWebhookModel[], cache: Pick<Cache, 'informer' | 'optional' | 'synced'>, given?: Given) {
    this.#cache = cache;
    this.#given = given;
    this.#informers = new Map(
      webhooks.map(({ path, watches = {} }) => [
        path,
        Object.fromEntries(
          Object.entries(watches).map(([name, watch]) => {
            const informer = this.#held(watch, cache);
            if (watch.select?.namespaces !== undefined) this.#named.set(informer, watch.select.namespaces);
            return [name, informer];
          }),
        ),
      ]),
    );
  }

  #held(watch: WatchModel, cache: Pick<Cache, 'informer' | 'optional'>): Informer {
    if (watch.optional !== true) return cache.informer(requestOf(watch));
    const informer = cache.optional(requestOf(watch));
    this.#optional.add(informer);
    return informer;
  }

  /** All that can be held now is held. */
  get isReady(): boolean {
    return [...this.#informers.values()].every((informers) => Object.values(informers).every(isSettled));
  }

  /** The kinds that a webhook reads and of which no complete list is held yet. */
  missing(webhook: AdmissionWebhookModel): readonly string[] {
    return this.#unsynced(webhook).map(({ kind }) => kind.kind);
  }

  /**
   * Resolves when all that a webhook reads is there.
   *
   * @throws NoReview at once for a kind that is not served; CacheStoppedError when it will never be there; the signal's reason when that is aborted
   */
  async synced(webhook: AdmissionWebhookModel, signal: AbortSignal): Promise<void> {
    const informers = this.#unsynced(webhook);
    const absent = informers.find(({ isServed }) => !isServed);
    if (absent !== undefined)
      throw new NoReview(
        500,
        `${webhook.name} reads ${absent.kind.plural}, which the API server does not serve; install the CustomResourceDefinition ${absent.kind.plural}.${absent.kind.group}`,
      );
    if (informers.length > 0) await this.#cache.synced(signal, informers);
  }

  #unsynced({ path }: AdmissionWebhookModel): readonly Informer[] {
    return Object.values(this.#informers.get(path) ?? {}).filter(({ hasSynced }) => !hasSynced);
  }

  /** @param namespace of the request: what a plain name means; none for cluster-scoped objects @param signal ends calls of externals with the request */
  of({ path, uses = {} }: AdmissionWebhookModel, namespace: string | undefined, signal: AbortSignal): Handles {
    const informers = this.#informers.get(path) ?? {};
    const read = Object.fromEntries(
      Object.entries(informers).map(([name, informer]) => {
        const handle = handleOf(informer, namespaceMeant(this.#named.get(informer), namespace));
        return [name, withPresence(handle, this.#optional.has(informer) ? informer : undefined)];
      }),
    );
    return { ...read, ...this.#given?.under(Object.keys(uses), signal) };
  }
}

function isSettled({ hasSynced, isServed }: Informer): boolean {
  return hasSynced || !isServed;
}

/** @throws WebhookServerError when a webhook reads, and nothing is there to read from */
export function checkHandles(webhooks: readonly AdmissionWebhookModel[], handles: AdmissionHandles | undefined): void {
  const reading = webhooks.find(({ watches = {} }) => Object.keys(watches).length > 0);
  if (reading === undefined || handles !== undefined) return;
  throw new WebhookServerError(
    `${reading.name} reads ${Object.keys(reading.watches ?? {}).join(', ')}; give the server the handles of a cache`,
  );
}

function requestOf({ kind, select, indexes }: WatchModel): Parameters<Cache['informer']>[0] {
  return { kind, ...(select === undefined ? {} : { select }), indexes: indexes as Readonly<Record<string, IndexFunction>> };
}

/** @throws TypeError from `get` if a name alone does not determine the namespace */
function handleOf(informer: Informer, own: string | undefined): object {
  return Object.freeze({
    get: (key: string | ObjectKey): StoredObject | undefined => informer.get(keyOf(key, informer.kind, own)),
    list({ namespace = own, labels, labelSelector, index }: Listing = {}): StoredObject[] {
      const isEverywhere = informer.kind.scope === 'Cluster' || namespace === '*';
      return informer.list({ ...(isEverywhere ? {} : { namespace }), labels, labelSelector, index });
    },
  });
}

function keyOf(key: string | ObjectKey, kind: KindInfo, own: string | undefined): ObjectKey {
  const { name, namespace = own } = typeof key === 'string' ? { name: key } : key;
  if (kind.scope === 'Cluster') return { name };
  if (namespace !== undefined) return { name, namespace };
  throw new TypeError(`${kind.kind} ${name}: which namespace? The request is about a cluster-scoped object; give { namespace, name }`);
}
