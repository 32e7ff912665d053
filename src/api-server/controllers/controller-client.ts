import type { Json } from '@keelson/kubernetes/apimachinery';
import type {
  DeleteOptions,
  JsonObject,
  ObjectName,
  RequestContext,
  RequestUser,
  Resource,
  SubresourceAnswer,
  Target,
} from '../contract/index.js';
import { notFound, StatusError } from '../status/index.js';
import type { ControllerSurroundings } from './controller.js';

interface ResourceName {
  readonly group: string;
  readonly plural: string;
}

/** Where a write goes. */
export interface Place extends ObjectName {
  readonly resource: ResourceName;
  readonly subresource?: string;
}

/** Another part of the control plane than kube-controller-manager. */
export interface ComponentIdentity {
  readonly user: RequestUser;
  readonly fieldManager: string;
}

/** Reads and writes of a controller, under the name of kube-controller-manager's (or of another component), at the storage version. */
export class ControllerClient {
  readonly #surroundings: ControllerSurroundings;
  readonly #identity: ComponentIdentity;

  constructor(surroundings: ControllerSurroundings, identity: string | ComponentIdentity) {
    this.#surroundings = surroundings;
    this.#identity = typeof identity === 'string' ? managerIdentity(identity) : identity;
  }

  get(place: Place): JsonObject | undefined {
    return this.#surroundings.cluster.get(place.resource, place);
  }

  list(resource: ResourceName, namespace?: string): readonly JsonObject[] {
    return this.#surroundings.cluster.list(resource, namespace);
  }

  create(place: Omit<Place, 'name'>, object: object): Promise<JsonObject> {
    return this.#surroundings.api.create(this.#target({ ...place, name: '' }), bodyOf(object), this.#context());
  }

  async update(place: Place, object: object): Promise<JsonObject> {
    return (await this.#surroundings.api.update(this.#target(place), bodyOf(object), this.#context())).object;
  }

  /** Merge patch. */
  async patch(place: Place, patch: object): Promise<JsonObject> {
    const request = { ...bodyOf(patch), format: 'merge' as const, force: false };
    return (await this.#surroundings.api.patch(this.#target(place), request, this.#context())).object;
  }

  async delete(place: Place, options: DeleteOptions = {}): Promise<void> {
    await this.#surroundings.api.delete(this.#target(place), options, this.#context());
  }

  /** Creates through a subresource that has a handler of its own: `binding`, `eviction`. */
  async post(place: Place, body: object): Promise<SubresourceAnswer> {
    const { served, namespace, name, subresource } = this.#target(place);
    const handle = served.version.subresources.find((candidate) => candidate.name === subresource)?.handle;
    if (handle === undefined) throw notFound(place.resource, `${name}/${subresource}`);
    const answer = await handle(
      { verb: 'create', namespace, name, body: bodyOf(body).value, query: new URLSearchParams() },
      this.#context(),
    );
    if ('body' in answer) return answer;
    throw notFound(place.resource, `${name}/${subresource}`);
  }

  #target({ resource: { group, plural }, namespace, name, subresource = '' }: Place): Target {
    const resource = this.#surroundings.catalog.find(group, plural);
    const version = resource?.versions.find((candidate) => candidate.version === storageVersionOf(resource));
    if (resource === undefined || version === undefined) throw notFound({ group, plural }, name);
    return { served: { resource, version }, namespace, name, subresource };
  }

  #context(): RequestContext {
    return {
      ...this.#identity,
      fieldValidation: 'Strict',
      isDryRun: false,
      now: () => this.#surroundings.clock.now(),
      // A controller's warnings have no reader.
      warn: () => undefined,
      signal: NEVER,
      authorize: () => undefined,
    };
  }
}

function managerIdentity(name: string): ComponentIdentity {
  return {
    user: {
      username: `system:serviceaccount:kube-system:${name}`,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
    },
    fieldManager: 'kube-controller-manager',
  };
}

const NEVER = new AbortController().signal;

/** A custom resource may be stored at a version that is served no longer. */
function storageVersionOf({ versions, storageVersion }: Resource): string | undefined {
  return versions.some(({ version }) => version === storageVersion) ? storageVersion : versions[0]?.version;
}

function bodyOf(object: object): { readonly value: Json; readonly strictProblems: readonly string[] } {
  return { value: object as Json, strictProblems: [] };
}

/** The object is gone, or another has taken its place: what was to be done to it is done. */
export function isGone(error: unknown): boolean {
  return StatusError.isStatusError(error) && error.status.code === 404;
}

export function isConflict(error: unknown): boolean {
  return StatusError.isStatusError(error) && error.status.code === 409;
}

/** The namespace is going: nothing new is made in it. */
export function isTerminating(error: unknown): boolean {
  return StatusError.isStatusError(error) && error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
}
