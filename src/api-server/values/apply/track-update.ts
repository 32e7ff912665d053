import { OperatorError } from '@keelson/kubernetes/apimachinery';
import { capUpdateManagers } from './cap-managers.js';
import { type Endpoint, typeOfEndpoint, versionsOf } from './endpoint.js';
import { FieldSet } from './field-set.js';
import { isEmptyMap } from './json-value.js';
import { decodeManagedFields, encodeManagedFields, type Managed, managerIdentifier, NOTHING_MANAGED } from './managed-fields.js';
import { type ApiObject, managedFieldsOf, metadataOf, stringField, withManagedFields } from './object-fields.js';
import { stripMeta } from './strip-meta.js';
import { typedValue } from './typed-value.js';
import { updateManagers } from './updater.js';

export interface TrackUpdate {
  readonly endpoint: Endpoint;
  /** At the version of the endpoint. For a creation: the empty object of the kind, without a uid. */
  readonly live: ApiObject;
  /** The object to be stored, defaulted, at the version of the endpoint. */
  readonly updated: ApiObject;
  /** Empty: `unknown`. */
  readonly manager: string;
  readonly now: () => Date;
}

export interface TrackedUpdate {
  readonly object: ApiObject;
  /** Why nothing could be tracked: the object is stored without managed fields, as the server does. */
  readonly problem?: string;
}

/**
 * Attributes what a create, update, or patch other than apply changes to its manager, and gives the object with its new `managedFields`.
 *
 * Entries that the request itself brings count, unless they cannot be read; `[]` and `[{}]` mean to start anew. An object without entries gets none,
 * unless it is being created.
 */
export function trackUpdate({ endpoint, live, updated, manager, now }: TrackUpdate): TrackedUpdate {
  const object = withManagedFields(updated, []);
  const known = managedOf(endpoint, live, updated);
  const isCreation = stringField(metadataOf(live), 'uid') === '';
  if (known.managers.size === 0 && !isCreation) return { object };
  try {
    const managed = attribute(known, { endpoint, live: withManagedFields(live, []), updated: object, manager, now });
    return { object: withManagedFields(object, encodeManagedFields(managed)) };
  } catch (error) {
    if (!OperatorError.isOperatorError(error)) throw error;
    // An update that cannot be attributed must not lose what others own.
    return { object: withManagedFields(updated, managedFieldsOf(live) ?? []), problem: error.message };
  }
}

/** Entries after a change by an update. */
export function attribute(known: Managed, { endpoint, live, updated, manager, now }: TrackUpdate): Managed {
  const [type, { apiVersion }] = [typeOfEndpoint(endpoint), endpoint];
  const typed = { type, apiVersion, allowDuplicates: true };
  const request = { live: typedValue(live, typed), now: typedValue(updated, typed), managers: known.managers };
  // Under a name of its own, so that an update that changes nothing leaves no trace.
  const self = 'current-operation';
  const managers = new Map(stripMeta(updateManagers({ ...request, manager: self }, versionsOf(endpoint)), self));
  const written = managers.get(self);
  const times = new Map(known.times);
  if (written !== undefined) {
    managers.delete(self);
    const identifier = identifierOf(endpoint, manager, 'Update');
    managers.set(identifier, { ...written, set: written.set.union(managers.get(identifier)?.set ?? FieldSet.EMPTY) });
    times.set(identifier, timeText(now()));
  }
  return capUpdateManagers({ managers, times });
}

export function identifierOf({ apiVersion, subresource = '' }: Endpoint, manager: string, operation: 'Apply' | 'Update'): string {
  return managerIdentifier({ manager: manager === '' ? 'unknown' : manager, operation, apiVersion, subresource });
}

/** RFC 3339 in seconds, as the API writes times. */
export function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

function managedOf({ subresource = '' }: Endpoint, live: ApiObject, updated: ApiObject): Managed {
  // Through a subresource managed fields cannot be set.
  if (subresource !== '') return readable(live) ?? NOTHING_MANAGED;
  if (isReset(updated)) return NOTHING_MANAGED;
  const own = readable(updated);
  // A client that does not know the field and drops it must not delete the entries.
  return own !== undefined && own.managers.size > 0 ? own : (readable(live) ?? NOTHING_MANAGED);
}

function isReset(object: ApiObject): boolean {
  const entries = managedFieldsOf(object);
  const [only] = entries ?? [];
  return entries?.length === 0 || (entries?.length === 1 && isEmptyMap(only as ApiObject));
}

function readable(object: ApiObject): Managed | undefined {
  try {
    return decodeManagedFields(managedFieldsOf(object) ?? []);
  } catch (error) {
    if (OperatorError.isOperatorError(error)) return undefined;
    throw error;
  }
}
