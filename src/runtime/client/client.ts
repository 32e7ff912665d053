import { apiVersionOf, type KindInfo, type ObjectKey } from '@keelson/kubernetes/apimachinery';
import { type Connection, MalformedResponseError, Transport, type TransportOptions } from '../http/index.js';
import { discoverKind } from './discovery.js';
import { RequestError } from './errors.js';
import type { KeyOf, NamedObject, NewObject, ObjectOf, StoredOf } from './kind-types.js';
import { acceptFor, bodyOf, identified, type LooseObject, nameOfObject, namespaceOf } from './object-body.js';
import { collectPages, type ObjectList, objectListOf, sayingOf } from './object-list.js';
import type {
  ApplyOptions,
  CallOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PageOptions,
  WatchOptions,
  WriteOptions,
} from './options.js';
import { PageGuard } from './page-guard.js';
import { PATCH_MEDIA_TYPES, type PatchOf } from './patch.js';
import { type ApiRequest, nameOf, Requester } from './requester.js';
import { collectionPath, objectPath } from './resource-path.js';
import { selectionQuery } from './selection.js';
import { isStatus } from './status.js';
import { type Scale, Subresource } from './subresource.js';
import { WatchStream } from './watch-stream.js';
import { isDryRun, type WriteDefaults, writeQuery } from './write-query.js';

export interface ApiClientOptions extends WriteDefaults {
  readonly transport: Transport;
}

/** Objects of a page where the caller pages without saying how: client-go's number too. */
const PAGE_SIZE = 500;
const WATCH_SECONDS = 290;
const SILENCE_BEYOND_TIMEOUT_MS = 5_000;
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/**
 * The verbs of the Kubernetes API on kinds: every call is one request, nothing is cached.
 *
 * Objects are plain JSON as the server sends it, unknown fields included; `apiVersion` and `kind` are always there.
 * Errors: {@link ApiError} and its subclasses for what the server refuses; RequestError before anything is sent; the errors of `http/` for connections,
 * deadlines and cancellation. A deletion that is repeated after a broken connection may find the object gone (NotFound), and an update its own change
 * (Conflict): what was asked for has happened then.
 *
 * @example
 * ```ts
 * const client = createClient({ connection: await loadConnection(), fieldManager: 'settings-tool' });
 * const { items } = await client.list(ConfigMap, { namespace: 'shop' });
 * await client.patch(ConfigMap, { namespace: 'shop', name: 'settings' }, mergePatch({ data: { color: 'blue' } }));
 * client.close();
 * ```
 */
export class ApiClient {
  readonly #requester: Requester;
  readonly #defaults: WriteDefaults;

  constructor({ transport, ...defaults }: ApiClientOptions) {
    this.#requester = new Requester(transport);
    this.#defaults = Object.freeze({ ...defaults });
  }

  /** The HTTP requests of this client, and of those made by {@link with}. */
  get transport(): Transport {
    return this.#requester.transport;
  }

  /** The API server, and the identity of the client. */
  get connection(): Connection {
    return this.transport.connection;
  }

  /** A client with other defaults over the same connections: all dry runs, or another field manager. */
  with(defaults: WriteDefaults): ApiClient {
    return new ApiClient({ ...this.#defaults, ...defaults, transport: this.transport });
  }

  /** Reads one object. @throws NotFoundError if it does not exist */
  async get<const TKind extends KindInfo>(
    kind: TKind,
    key: KeyOf<TKind>,
    { resourceVersion, ...call }: GetOptions = {},
  ): Promise<StoredOf<TKind>> {
    return this.#object(kind, { method: 'GET', path: objectPath(kind, key), query: { resourceVersion }, ...call });
  }

  /** One page: `limit` objects at most, or all. */
  async list<const TKind extends KindInfo>(kind: TKind, options?: PageOptions<TKind>): Promise<ObjectList<StoredOf<TKind>>> {
    const { namespace, limit, continue: token, resourceVersion, resourceVersionMatch, ...rest }: PageOptions = options ?? {};
    const request: ApiRequest = {
      method: 'GET',
      path: collectionPath(kind, namespace),
      query: { ...selectionQuery(kind, rest), limit, continue: token, resourceVersion, resourceVersionMatch },
      accept: acceptFor(kind, 'list'),
      ...callOf(rest),
    };
    return objectListOf(kind, nameOf(request), await this.#requester.object(request));
  }

  /** Page after page, fetched as they are asked for. @throws ExpiredError when the next page has become too old: begin anew */
  async *pages<const TKind extends KindInfo>(
    kind: TKind,
    options?: ListOptions<TKind>,
  ): AsyncGenerator<ObjectList<StoredOf<TKind>>, void, undefined> {
    let page = await this.list(kind, { limit: PAGE_SIZE, ...options } as PageOptions<TKind>);
    const guard = new PageGuard(`GET ${collectionPath(kind, (options as ListOptions | undefined)?.namespace)}`);
    guard.check(page);
    yield page;
    // The token carries the moment of the first page: the server refuses a resourceVersion beside it.
    const { resourceVersion: _, resourceVersionMatch: __, ...rest }: ListOptions = options ?? {};
    while (page.continue !== undefined) {
      page = await this.list(kind, { limit: PAGE_SIZE, ...rest, continue: page.continue } as PageOptions<TKind>);
      guard.check(page);
      yield page;
    }
  }

  /** Object after object over all pages. @throws ExpiredError as {@link pages} */
  async *items<const TKind extends KindInfo>(kind: TKind, options?: ListOptions<TKind>): AsyncGenerator<StoredOf<TKind>, void, undefined> {
    for await (const page of this.pages(kind, options)) yield* page.items;
  }

  /** All pages as one list of one moment; begun anew when pages expire on the way. */
  listAll<const TKind extends KindInfo>(kind: TKind, options?: ListOptions<TKind>): Promise<ObjectList<StoredOf<TKind>>> {
    return collectPages(() => this.pages(kind, options));
  }

  /** Creates an object, and returns it as the server stored it. @throws AlreadyExistsError if the name is taken */
  async create<const TKind extends KindInfo>(kind: TKind, object: NewObject<TKind>, options: WriteOptions = {}): Promise<StoredOf<TKind>> {
    return this.#object(kind, {
      method: 'POST',
      path: collectionPath(kind, namespaceOf(kind, object)),
      query: writeQuery(this.#defaults, options),
      body: bodyOf(kind, object),
      idempotent: isDryRun(this.#defaults, options),
      ...callOf(options),
    });
  }

  /** Replaces an object. With `metadata.resourceVersion` only that version, else whatever there is. */
  async update<const TKind extends KindInfo>(
    kind: TKind,
    object: NamedObject<TKind>,
    options: WriteOptions = {},
  ): Promise<StoredOf<TKind>> {
    return this.#object(kind, {
      method: 'PUT',
      path: pathOf(kind, object),
      query: writeQuery(this.#defaults, options),
      body: bodyOf(kind, object),
      ...callOf(options),
    });
  }

  /** Changes parts of an object, and returns it as the server stored it. @throws NotFoundError if it does not exist */
  async patch<const TKind extends KindInfo>(
    kind: TKind,
    key: KeyOf<TKind>,
    patch: PatchOf<TKind>,
    options: WriteOptions = {},
  ): Promise<StoredOf<TKind>> {
    return this.#object(kind, {
      method: 'PATCH',
      path: objectPath(kind, key),
      query: writeQuery(this.#defaults, options),
      body: patch.body,
      contentType: PATCH_MEDIA_TYPES[patch.type],
      // The same fields set twice are set once; steps and list merges may not be.
      idempotent: patch.type === 'merge' || isDryRun(this.#defaults, options),
      ...callOf(options),
    });
  }

  /**
   * Server-side apply: creates the object or sets its fields, and takes away those that the manager applied before and does not any more.
   *
   * With `metadata.uid` it never creates: an object that is gone answers Conflict (H46).
   * @throws RequestError without a field manager
   */
  async apply<const TKind extends KindInfo>(kind: TKind, object: NamedObject<TKind>, options: ApplyOptions = {}): Promise<StoredOf<TKind>> {
    const query = writeQuery(this.#defaults, options);
    const path = pathOf(kind, object);
    if (query['fieldManager'] === undefined)
      throw new RequestError(`PATCH ${path}: server-side apply needs a fieldManager, here or as the client's default`);
    return this.#object(kind, {
      method: 'PATCH',
      path,
      query: { ...query, force: options.force === true ? true : undefined },
      body: bodyOf(kind, object),
      contentType: 'application/apply-patch+yaml',
      idempotent: true,
      ...callOf(options),
    });
  }

  /**
   * Deletes an object.
   *
   * @returns the object as the server last had it, where it answers with one: with a `deletionTimestamp` it is still there, held by finalizers or its grace
   * period. `undefined` when it only says that it is done.
   * @throws NotFoundError if it does not exist; ConflictError if `uid` or `resourceVersion` do not match
   */
  async delete<const TKind extends KindInfo>(
    kind: TKind,
    key: KeyOf<TKind>,
    options: DeleteOptions = {},
  ): Promise<StoredOf<TKind> | undefined> {
    const answer = await this.#requester.object({
      method: 'DELETE',
      path: objectPath(kind, key),
      body: this.#deleteBody(options),
      accept: acceptFor(kind),
      ...callOf(options),
    });
    return isStatus(answer) ? undefined : (identified(kind, answer) as StoredOf<TKind>);
  }

  /** Deletes what is selected; all of the collection when nothing is. */
  async deleteCollection<const TKind extends KindInfo>(kind: TKind, options: DeleteCollectionOptions<TKind>): Promise<void> {
    const { namespace, ...rest }: DeleteCollectionOptions = options;
    await this.#requester.object({
      method: 'DELETE',
      path: collectionPath(kind, namespace),
      query: selectionQuery(kind, rest),
      body: this.#deleteBody(rest),
      ...callOf(rest),
    });
  }

  /** Resolves when the server has begun to answer; events are kept until they are iterated. To resume is the caller's. */
  async watch<const TKind extends KindInfo>(kind: TKind, options?: WatchOptions<TKind>): Promise<WatchStream<StoredOf<TKind>>> {
    const {
      namespace,
      silentMs,
      maxFrameBytes = MAX_FRAME_BYTES,
      timeoutSeconds = WATCH_SECONDS,
      allowWatchBookmarks = true,
      ...rest
    }: WatchOptions = options ?? {};
    const { resourceVersion, resourceVersionMatch, sendInitialEvents } = rest;
    const request: ApiRequest = {
      method: 'GET',
      path: collectionPath(kind, namespace),
      query: {
        watch: true,
        ...selectionQuery(kind, rest),
        allowWatchBookmarks: allowWatchBookmarks ? true : undefined,
        timeoutSeconds,
        resourceVersion,
        resourceVersionMatch,
        sendInitialEvents,
      },
      accept: acceptFor(kind),
      ...callOf(rest),
    };
    const stream = await this.#requester.stream({ ...request, silentMs: silentMs ?? timeoutSeconds * 1_000 + SILENCE_BEYOND_TIMEOUT_MS });
    const decode = (object: object): StoredOf<TKind> => identified(kind, object) as StoredOf<TKind>;
    return new WatchStream({ request: `watch of ${request.path}`, stream, maxFrameBytes, decode });
  }

  /** Any subresource by name, for example `client.subresource(Pod, 'eviction').create(key, eviction)`; bodies bring their own `apiVersion` and `kind`. */
  subresource<TRead = unknown, const TKind extends KindInfo = KindInfo>(
    kind: TKind,
    name: string,
  ): Subresource<KeyOf<TKind>, TRead, unknown> {
    return new Subresource(this.#subresource(kind, name, undefined));
  }

  /** The status of objects, as a subresource. */
  status<const TKind extends KindInfo>(kind: TKind): Subresource<KeyOf<TKind>, StoredOf<TKind>, Partial<ObjectOf<TKind>>> {
    return new Subresource(this.#subresource(kind, 'status', { apiVersion: apiVersionOf(kind), kind: kind.kind }));
  }

  /** The number of replicas of objects, as a subresource. */
  scale<const TKind extends KindInfo>(kind: TKind): Subresource<KeyOf<TKind>, Scale, Partial<Scale>> {
    return new Subresource(this.#subresource(kind, 'scale', { apiVersion: 'autoscaling/v1', kind: 'Scale' }));
  }

  /** Any other request: health, logs, metrics. JSON is parsed, other answers come as text. @throws ApiError for a status of 300 and more */
  request(request: ApiRequest): Promise<unknown> {
    return this.#requester.send(request);
  }

  /** The server's description of the kind of a manifest. One request each time. */
  discover(identity: { readonly apiVersion: string; readonly kind: string }, call: CallOptions = {}): Promise<KindInfo> {
    return discoverKind(this.#requester, identity, call);
  }

  /** Ends all that is under way and frees the sockets; clients made by {@link with} share them. */
  close(): void {
    this.transport.close();
  }

  async #object<TKind extends KindInfo>(kind: TKind, request: ApiRequest): Promise<StoredOf<TKind>> {
    const answer = await this.#requester.object({ accept: acceptFor(kind), ...request });
    if (typeof answer['metadata'] !== 'object' || answer['metadata'] === null || isStatus(answer))
      throw new MalformedResponseError(nameOf(request), `the answer is not a ${kind.kind}, but ${sayingOf(answer['kind'])}`);
    return identified(kind, answer) as StoredOf<TKind>;
  }

  #subresource<TKind extends KindInfo>(
    kind: TKind,
    name: string,
    identity: { readonly apiVersion: string; readonly kind: string } | undefined,
  ): ConstructorParameters<typeof Subresource<KeyOf<TKind>, unknown>>[0] {
    const path = (key: KeyOf<TKind>): string => `${objectPath(kind, key)}/${name}`;
    return { requester: this.#requester, defaults: this.#defaults, path, identity };
  }

  #deleteBody(options: DeleteOptions): object {
    const { uid, resourceVersion, propagationPolicy, gracePeriodSeconds } = options;
    const preconditions = uid === undefined && resourceVersion === undefined ? undefined : { uid, resourceVersion };
    const dryRun = isDryRun(this.#defaults, options) ? ['All'] : undefined;
    return { apiVersion: 'v1', kind: 'DeleteOptions', preconditions, propagationPolicy, gracePeriodSeconds, dryRun };
  }
}

function pathOf(kind: KindInfo, object: LooseObject): string {
  const key: ObjectKey = { namespace: namespaceOf(kind, object), name: nameOfObject(kind, object) };
  return objectPath(kind, key);
}

function callOf({ signal, deadlineMs, onWarning }: CallOptions): CallOptions {
  return { signal, deadlineMs, onWarning };
}

/**
 * A client with a transport of its own.
 *
 * @example
 * ```ts
 * const client = createClient({ connection: await loadConnection(), fieldManager: 'settings-tool' });
 * await client.create(ConfigMap, { metadata: { namespace: 'shop', name: 'settings' } });
 * client.close();
 * ```
 */
export function createClient({ fieldManager, fieldValidation, dryRun, ...transport }: TransportOptions & WriteDefaults): ApiClient {
  return new ApiClient({ transport: new Transport(transport), fieldManager, fieldValidation, dryRun });
}
