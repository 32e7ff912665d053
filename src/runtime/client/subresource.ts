import type { ObjectMeta } from '@keelson/kubernetes/apimachinery';
import { RequestError } from './errors.js';
import type { ApplyOptions, GetOptions, WriteOptions } from './options.js';
import { PATCH_MEDIA_TYPES, type PatchBody } from './patch.js';
import type { Requester } from './requester.js';
import { isDryRun, type WriteDefaults, writeQuery } from './write-query.js';

/** How many replicas an object wants and has (`autoscaling/v1`, `Scale`). */
export interface Scale {
  /** Always `autoscaling/v1`. */
  readonly apiVersion: 'autoscaling/v1';
  /** Always `Scale`. */
  readonly kind: 'Scale';
  /** That of the scaled object; its `resourceVersion` makes an update conditional. */
  metadata: ObjectMeta;
  /** The wanted number of replicas. @defaultValue 0 replicas, where the number is left out */
  spec?: { replicas?: number | undefined } | undefined;
  /** The existing number of replicas, and the label selector of their Pods; set by the server. */
  readonly status?: { readonly replicas: number; readonly selector?: string | undefined } | undefined;
}

export interface SubresourceSource<TKey> {
  readonly requester: Requester;
  readonly defaults: WriteDefaults;
  readonly path: (key: TKey) => string;
  /** apiVersion and kind of the bodies that are sent; `undefined`: they bring their own. */
  readonly identity: { readonly apiVersion: string; readonly kind: string } | undefined;
}

/**
 * One subresource of a kind: `status`, `scale`, `eviction`, `token`…
 *
 * @example
 * ```ts
 * const scale = client.scale(Deployment);
 * await scale.patch({ namespace: 'shop', name: 'web' }, mergePatch({ spec: { replicas: 3 } }));
 * ```
 *
 * @typeParam TRead - what the server answers
 * @typeParam TWrite - what is sent
 */
export class Subresource<TKey extends { readonly name: string; readonly namespace?: string | undefined }, TRead, TWrite = TRead> {
  readonly #source: SubresourceSource<TKey>;

  constructor(source: SubresourceSource<TKey>) {
    this.#source = source;
  }

  /** Reads the subresource of one object. @throws NotFoundError if the object does not exist */
  async get(key: TKey, { resourceVersion, ...call }: GetOptions = {}): Promise<TRead> {
    return this.#send({ method: 'GET', path: this.#source.path(key), query: { resourceVersion }, ...call });
  }

  /** For what is an action: an eviction, a token, a binding. */
  async create(key: TKey, body: TWrite, options: WriteOptions = {}): Promise<TRead> {
    const { requester: _, defaults } = this.#source;
    return this.#send({
      method: 'POST',
      path: this.#source.path(key),
      query: writeQuery(defaults, options),
      body: this.#bodyOf(key, body),
      idempotent: isDryRun(defaults, options),
      ...callOf(options),
    });
  }

  /** Replaces the subresource; with `metadata.resourceVersion` only of that version. @throws ConflictError for another version */
  async update(key: TKey, body: TWrite, options: WriteOptions = {}): Promise<TRead> {
    const query = writeQuery(this.#source.defaults, options);
    return this.#send({ method: 'PUT', path: this.#source.path(key), query, body: this.#bodyOf(key, body), ...callOf(options) });
  }

  /** Changes parts of the subresource. @throws NotFoundError if the object does not exist */
  async patch(key: TKey, patch: PatchBody, options: WriteOptions = {}): Promise<TRead> {
    const { defaults, path } = this.#source;
    return this.#send({
      method: 'PATCH',
      path: path(key),
      query: writeQuery(defaults, options),
      body: patch.body,
      contentType: PATCH_MEDIA_TYPES[patch.type],
      idempotent: patch.type === 'merge' || isDryRun(defaults, options),
      ...callOf(options),
    });
  }

  /** Server-side apply of the fields that the manager wants. @throws RequestError without a field manager */
  async apply(key: TKey, body: ApplyBody<TWrite>, options: ApplyOptions = {}): Promise<TRead> {
    const query = writeQuery(this.#source.defaults, options);
    const path = this.#source.path(key);
    if (query['fieldManager'] === undefined) throw new RequestError(`PATCH ${path}: server-side apply needs a fieldManager`);
    return this.#send({
      method: 'PATCH',
      path,
      query: { ...query, force: options.force === true ? true : undefined },
      body: this.#bodyOf(key, body),
      contentType: 'application/apply-patch+yaml',
      idempotent: true,
      ...callOf(options),
    });
  }

  async #send(request: Parameters<Requester['send']>[0]): Promise<TRead> {
    return (await this.#source.requester.object(request)) as TRead;
  }

  /** With identity and key filled in, so that a status alone is a complete body. */
  #bodyOf({ name, namespace }: TKey, body: unknown): unknown {
    const { identity } = this.#source;
    if (identity === undefined || typeof body !== 'object') return body;
    const { metadata } = body as { metadata?: object };
    return { ...identity, ...body, ...identity, metadata: { ...metadata, name, namespace } };
  }
}

/** An applied object need not be whole. */
export type ApplyBody<T> = T extends readonly unknown[] ? T : T extends object ? { readonly [P in keyof T]?: ApplyBody<T[P]> } : T;

function callOf({ signal, deadlineMs, onWarning }: WriteOptions): Pick<WriteOptions, 'signal' | 'deadlineMs' | 'onWarning'> {
  return { signal, deadlineMs, onWarning };
}
