import type { KindInfo, KubernetesObject, ObjectMeta } from '@keelson/kubernetes/apimachinery';
import type {
  ApiClient,
  ApplyOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  NamedObject,
  NewObject,
  ObjectOf,
  PatchOf,
  StoredOf,
  WatchOptions,
  WatchStream,
  WriteOptions,
} from '@keelson/runtime/internal/client';
import { isNotFound, mergePatch } from '@keelson/runtime/internal/client';
import type { Stored } from 'keelson/internal/definition';
import { TestClusterError } from './errors.js';
import type { KindCache } from './kind-cache.js';
import { type KeyOrText, keyIn } from './object-key.js';

/** Hears of what was written through a client. */
export interface WriteListener {
  /** Told of each object that was not there before. */
  readonly onCreated?: (kind: KindInfo, object: KubernetesObject) => void;
}

export interface ClusterClientParts extends WriteListener {
  readonly client: ApiClient;
  /** Looks whether an object is there before it is applied: a user who may write it need not be allowed to read it. @defaultValue `client` */
  readonly looking?: ApiClient;
  readonly kinds: KindCache;
  /** The namespace of objects and keys that name none. */
  readonly namespace: string;
}

/** An object that says what it is, as the factory of a kind makes it. */
export type WholeObject = KubernetesObject;

/**
 * The verbs of the API on kinds, in the name of one user. Keys may be texts (`default/a`), and objects that are made by the factory of their kind need no kind
 * beside them.
 *
 * Errors: those of {@link ApiClient}: what the server refuses is an `ApiError`.
 *
 * @example
 * ```ts
 * const editor = cluster.as({ user: 'jane', groups: ['editors'] });
 * await editor.create(ConfigMap, { metadata: { name: 'settings' }, data: { color: 'red' } });
 * await editor.patch(ConfigMap, 'settings', mergePatch({ data: { color: 'blue' } }));
 * ```
 */
export class ClusterClient {
  /** For what is not here: subresources, pages, other paths. */
  readonly client: ApiClient;
  /** The namespace of objects and keys that name none. */
  readonly namespace: string;
  readonly #parts: ClusterClientParts;

  constructor(parts: ClusterClientParts) {
    this.client = parts.client;
    this.namespace = parts.namespace;
    this.#parts = parts;
  }

  /** @throws NotFoundError */
  get<const TKind extends KindInfo>(kind: TKind, key: KeyOrText<TKind>, options?: GetOptions): Promise<StoredOf<TKind>> {
    return this.client.get(kind, keyIn(kind, key, this.namespace), options);
  }

  /** The object; `undefined` if it does not exist. */
  find<const TKind extends KindInfo>(kind: TKind, key: KeyOrText<TKind>): Promise<StoredOf<TKind> | undefined> {
    return this.#found(this.client, kind, key);
  }

  async #found<const TKind extends KindInfo>(client: ApiClient, kind: TKind, key: KeyOrText<TKind>): Promise<StoredOf<TKind> | undefined> {
    try {
      return await client.get(kind, keyIn(kind, key, this.namespace));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** All objects that are selected, in the order of the server: by namespace and name. Without a namespace, those of all. */
  async list<const TKind extends KindInfo>(kind: TKind, options?: ListOptions<TKind>): Promise<readonly StoredOf<TKind>[]> {
    return (await this.client.listAll(kind, options)).items;
  }

  create<TObject extends WholeObject>(object: TObject, options?: WriteOptions): Promise<Stored<TObject>>;
  create<const TKind extends KindInfo>(kind: TKind, object: NewObject<TKind>, options?: WriteOptions): Promise<StoredOf<TKind>>;
  async create(...given: readonly unknown[]): Promise<unknown> {
    const { kind, object, options } = await this.#written(given);
    const created = await this.client.create(kind, object, options);
    if (options.dryRun !== true) this.#parts.onCreated?.(kind, created);
    return created;
  }

  /** Replaces an object. With `metadata.resourceVersion` only that version, else whatever there is. */
  update<TObject extends WholeObject>(object: TObject, options?: WriteOptions): Promise<Stored<TObject>>;
  update<const TKind extends KindInfo>(kind: TKind, object: NamedObject<TKind>, options?: WriteOptions): Promise<StoredOf<TKind>>;
  async update(...given: readonly unknown[]): Promise<unknown> {
    const { kind, object, options } = await this.#written(given);
    return this.client.update(kind, object as NamedObject<KindInfo>, options);
  }

  /** Server-side apply, as the field manager `keelson-test` unless another is given. */
  apply<TObject extends WholeObject>(object: TObject, options?: ApplyOptions): Promise<Stored<TObject>>;
  apply<const TKind extends KindInfo>(kind: TKind, object: NamedObject<TKind>, options?: ApplyOptions): Promise<StoredOf<TKind>>;
  async apply(...given: readonly unknown[]): Promise<unknown> {
    const { kind, object, options } = await this.#written(given);
    const applied = object as NamedObject<KindInfo>;
    const { onCreated, looking = this.client } = this.#parts;
    const wasThere =
      onCreated === undefined || options.dryRun === true || (await this.#found(looking, kind, applied.metadata as never)) !== undefined;
    const stored = await this.client.apply(kind, applied, options);
    if (!wasThere) onCreated(kind, stored);
    return stored;
  }

  /** A patch made by `mergePatch`, `jsonPatch` or `strategicPatch`. */
  patch<const TKind extends KindInfo>(
    kind: TKind,
    key: KeyOrText<TKind>,
    patch: PatchOf<TKind>,
    options?: WriteOptions,
  ): Promise<StoredOf<TKind>> {
    return this.client.patch(kind, keyIn(kind, key, this.namespace), patch, options);
  }

  /** Merges into the status subresource, as the controller of the object would: what a test sets that plays another controller. */
  async patchStatus<const TKind extends KindInfo>(
    kind: TKind,
    key: KeyOrText<TKind>,
    status: StatusOf<TKind>,
    options?: WriteOptions,
  ): Promise<StoredOf<TKind>> {
    return this.client.status(kind).patch(keyIn(kind, key, this.namespace), mergePatch({ status }), options);
  }

  /** @returns the object as the server last had it where it is still there, held by finalizers or its grace period */
  delete<const TKind extends KindInfo>(kind: TKind, key: KeyOrText<TKind>, options?: DeleteOptions): Promise<StoredOf<TKind> | undefined> {
    return this.client.delete(kind, keyIn(kind, key, this.namespace), options);
  }

  /** One watch request, as it is: to be iterated once. To wait for something, see `until`. */
  watch<const TKind extends KindInfo>(kind: TKind, options?: WatchOptions<TKind>): Promise<WatchStream<StoredOf<TKind>>> {
    return this.client.watch(kind, options);
  }

  async #written([first, second, third]: readonly unknown[]): Promise<Written> {
    const [kind, object, options] = isKind(first)
      ? [first, second as NewObject<KindInfo>, third as ApplyOptions | undefined]
      : [await this.#kindOf(first), first as NewObject<KindInfo>, second as ApplyOptions | undefined];
    return { kind, object: this.#placed(kind, object), options: options ?? {} };
  }

  async #kindOf(object: unknown): Promise<KindInfo> {
    const { apiVersion, kind, metadata } = (object ?? {}) as Partial<KubernetesObject>;
    if (apiVersion === undefined || kind === undefined || metadata === undefined)
      throw new TestClusterError(
        'what is written has no apiVersion, kind or metadata: make it with the factory of its kind, or give the kind first: create(ConfigMap, { ... })',
      );
    return this.#parts.kinds.of({ apiVersion, kind });
  }

  #placed<TObject extends { readonly metadata: ObjectMeta }>(kind: KindInfo, object: TObject): TObject {
    if (kind.scope === 'Cluster' || object.metadata.namespace !== undefined) return object;
    return { ...object, metadata: { ...object.metadata, namespace: this.namespace } };
  }
}

/** The part of a status to set. */
export type StatusOf<TKind extends KindInfo> = ObjectOf<TKind> extends { status?: infer TStatus } ? Partial<NonNullable<TStatus>> : unknown;

interface Written {
  readonly kind: KindInfo;
  readonly object: NewObject<KindInfo>;
  readonly options: ApplyOptions;
}

/** Kinds may be functions: the factories of their objects. */
function isKind(value: unknown): value is KindInfo {
  return (typeof value === 'function' || typeof value === 'object') && value !== null && 'plural' in value && 'scope' in value;
}
