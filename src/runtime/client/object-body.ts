import { apiVersionOf, type KindInfo, type ObjectMeta } from '@keelson/kubernetes/apimachinery';
import { RequestError } from './errors.js';
import { isMetadataOnly } from './kind-types.js';

/** An object as it is handed in: identity optional. */
export interface LooseObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata: ObjectMeta;
}

/**
 * The object with the kind's identity, as it goes over the wire.
 *
 * @throws RequestError when it says that it is of another kind: the server would refuse it, or read it as something else
 */
export function bodyOf(kind: KindInfo, object: LooseObject): LooseObject {
  const identity = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  for (const field of ['apiVersion', 'kind'] as const) {
    const found = object[field];
    if (found !== undefined && found !== identity[field])
      throw new RequestError(
        `${kind.kind} ${JSON.stringify(object.metadata.name)}: ${field} is ${JSON.stringify(found)}, not ${JSON.stringify(identity[field])}`,
      );
  }
  return { ...identity, ...object, ...identity };
}

/** Code without types forgets the kind, or the metadata. */
function metadataOf({ kind }: KindInfo, object: LooseObject | undefined): LooseObject['metadata'] {
  const metadata = object?.metadata as LooseObject['metadata'] | undefined;
  if (metadata === undefined)
    throw new RequestError(`${kind}: there is no object with metadata to be written; give the kind first: create(Kind, object)`);
  return metadata;
}

/** Namespace of an object to be written. @throws RequestError when it lacks where the kind needs one */
export function namespaceOf(kind: KindInfo, object: LooseObject): string | undefined {
  const { name, generateName, namespace } = metadataOf(kind, object);
  if (kind.scope === 'Namespaced' && namespace === undefined)
    throw new RequestError(
      `${kind.kind} ${JSON.stringify(name ?? `${generateName}…`)}: metadata.namespace is missing; ${kind.plural} are namespaced`,
    );
  return namespace;
}

/** Name of an object to be written. @throws RequestError when it has none */
export function nameOfObject(kind: KindInfo, object: LooseObject): string {
  const { name } = metadataOf(kind, object);
  if (name === undefined || name === '')
    throw new RequestError(`${kind.kind}: metadata.name is missing; only create may leave it to generateName`);
  return name;
}

/**
 * An object as it is handed out: items of lists lack their identity on the wire (N10), and metadata alone names its envelope instead of its kind. Lists and
 * watches thus give the same shape (N9).
 */
export function identified(kind: KindInfo, object: object): object {
  const identity = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  return isMetadataOnly(kind) ? { ...identity, ...object, ...identity } : { ...identity, ...object };
}

const PARTIAL = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const PARTIAL_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** The `Accept` header for objects of a kind. */
export function acceptFor(kind: KindInfo, what: 'object' | 'list' = 'object'): string | undefined {
  if (!isMetadataOnly(kind)) return undefined;
  return what === 'list' ? PARTIAL_LIST : PARTIAL;
}
