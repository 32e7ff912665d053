import type { DeleteOptions } from '../../contract/index.js';
import { ControllerClient, type ControllerSurroundings, isGone } from '../../controllers/index.js';
import type { ResourceName } from './resources.js';

/** Metadata of a stored object. */
export interface StoredMetadata {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** The shape of every kind of `keelson/kinds`. */
export interface StoredObject {
  readonly metadata: StoredMetadata;
}

/** The identity of a writer. */
export type Writer = ConstructorParameters<typeof ControllerClient>[1];

/** Typed reads and writes of a controller. Objects that were read are frozen. */
export class ObjectClient {
  readonly #client: ControllerClient;

  constructor(surroundings: ControllerSurroundings, writer: Writer) {
    this.#client = new ControllerClient(surroundings, writer);
  }

  get<T>(resource: ResourceName, namespace: string, name: string): T | undefined {
    return this.#client.get({ resource, namespace, name }) as T | undefined;
  }

  /** The objects of one namespace, or of all. */
  list<T>(resource: ResourceName, namespace?: string): readonly T[] {
    return this.#client.list(resource, namespace) as readonly T[];
  }

  async create<T>(resource: ResourceName, namespace: string, object: object): Promise<T> {
    return (await this.#client.create({ resource, namespace }, sent(object))) as T;
  }

  /** As it was read: a write in between is a conflict. */
  async update<T extends StoredObject>(resource: ResourceName, object: T): Promise<T> {
    return (await this.#client.update(placeOf(resource, object), sent(object))) as unknown as T;
  }

  async updateStatus<T extends StoredObject>(resource: ResourceName, object: T): Promise<T> {
    return (await this.#client.update({ ...placeOf(resource, object), subresource: 'status' }, sent(object))) as unknown as T;
  }

  /** Merge patch of this very object: another one of its name, or another version, is a conflict. */
  async patch(resource: ResourceName, object: StoredObject, patch: { readonly metadata: object }): Promise<void> {
    const { uid, resourceVersion } = object.metadata;
    await this.#client.patch(placeOf(resource, object), sent({ ...patch, metadata: { uid, resourceVersion, ...patch.metadata } }));
  }

  /** Deletes this very object, if it is still there. */
  async remove(resource: ResourceName, object: StoredObject, options: DeleteOptions = {}): Promise<void> {
    const { uid } = object.metadata;
    try {
      await this.#client.delete(placeOf(resource, object), { ...options, ...(uid === undefined ? {} : { preconditions: { uid } }) });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /** Creates through a subresource that is more than an update: `binding`, `eviction`, `token`. @returns the object of the answer */
  async post<T = unknown>(
    resource: ResourceName,
    object: StoredObject,
    { subresource, body }: { readonly subresource: string; readonly body: object },
  ): Promise<T> {
    return (await this.#client.post({ ...placeOf(resource, object), subresource }, body)).body as T;
  }
}

/** As it would come out of a request: without what is undefined. */
function sent(object: object): object {
  return withoutUndefined(object) as object;
}

function withoutUndefined(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // An item cannot be left out: as in JSON it is null.
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : withoutUndefined(item)));
  // Spread before writing: `__proto__` is a key like any other.
  const copy: Record<string, unknown> = { ...value };
  for (const key of Object.keys(copy)) {
    const item = copy[key];
    if (item === undefined) delete copy[key];
    else if (typeof item === 'object') copy[key] = withoutUndefined(item);
  }
  return copy;
}

function placeOf(
  resource: ResourceName,
  { metadata: { name, namespace = '' } }: StoredObject,
): {
  readonly resource: ResourceName;
  readonly namespace: string;
  readonly name: string;
} {
  return { resource, namespace, name };
}
