import { OperatorError } from '@keelson/kubernetes/apimachinery';
import { conflictError } from './conflict-error.js';
import { type Endpoint, typeOfEndpoint, versionsOf } from './endpoint.js';
import { ApplyRefused } from './errors.js';
import { fieldsOfLastApplied, KUBECTL, refreshLastApplied } from './last-applied.js';
import { decodeManagedFields, encodeManagedFields, type Managed } from './managed-fields.js';
import { type ApiObject, kindText, managedFieldsOf, objectText, stringField, withManagedFields } from './object-fields.js';
import { stripMeta } from './strip-meta.js';
import { attribute, identifierOf, timeText } from './track-update.js';
import { type TypedValue, typedValue } from './typed-value.js';
import { applyConfig, type Conflict } from './updater.js';

/** The manager of the fields of an object that was there before the first apply. */
const BEFORE_FIRST_APPLY = 'before-first-apply';

export interface ApplyPatch {
  readonly endpoint: Endpoint;
  /** At the version of the endpoint. Where the object is missing: {@link empty}. */
  readonly live: ApiObject;
  /** The empty object of the kind: what a Go type writes for a built-in kind, `{ apiVersion, kind }` for a custom resource. */
  readonly empty: ApiObject;
  /** The applied configuration, as it was sent. */
  readonly config: ApiObject;
  readonly manager: string;
  /** Default false. */
  readonly force?: boolean;
  /** Defaulting and pruning of an object that has changed; default: none. */
  readonly finish?: (merged: ApiObject) => ApiObject;
  readonly now: () => Date;
}

export interface AppliedPatch {
  /** With its new `managedFields`. */
  readonly object: ApiObject;
}

/**
 * Server-side apply: merges a configuration into the live object, prunes what its manager no longer names, and gives the object with its new
 * `managedFields`.
 *
 * @throws ApplyRefused with what the server answers: another kind or version, `managedFields` in the configuration, a configuration or a live object
 * that does not fit the schema, fields that others hold.
 */
export function applyPatch(patch: ApplyPatch): AppliedPatch {
  const known = decoded(patch.live);
  refuseOther(patch.endpoint, patch.config);
  const bare = { ...patch, live: withManagedFields(patch.live, []) };
  const { object, managed } = applyTracked(bare, known);
  const refreshed = patch.manager === KUBECTL ? refreshLastApplied(object, patch.config) : object;
  return { object: withManagedFields(refreshed, encodeManagedFields(managed)) };
}

interface Applied {
  readonly object: ApiObject;
  readonly managed: Managed;
}

function applyTracked(patch: ApplyPatch, known: Managed): Applied {
  const managed = known.managers.size > 0 ? known : beforeFirstApply(patch, known);
  const outcome = applyOnce(patch, managed);
  if (outcome.conflicts === undefined) return outcome;
  const allowed = patch.manager === KUBECTL ? fieldsOfLastApplied(patch.live, typedBy(patch.endpoint)) : undefined;
  const conflicts = outcome.conflicts.filter(({ path }) => allowed?.has(path) !== true);
  if (conflicts.length > 0) throw conflictError(conflicts);
  // All that is in the way was set by kubectl itself, on the client's side.
  const forced = applyOnce({ ...patch, force: true }, managed);
  if (forced.conflicts !== undefined) throw conflictError(forced.conflicts);
  return forced;
}

/** An object without recorded managers: all its fields count as written before the first apply. */
function beforeFirstApply({ endpoint, live, empty, now }: ApplyPatch, known: Managed): Managed {
  const request = { endpoint, live: withManagedFields(empty, []), updated: live, manager: BEFORE_FIRST_APPLY, now };
  return refusing('failed to create manager for existing fields: ', () => attribute(known, request));
}

type Outcome = { readonly conflicts: readonly Conflict[] } | ({ readonly conflicts?: undefined } & Applied);

function applyOnce(patch: ApplyPatch, known: Managed): Outcome {
  const { endpoint, force = false, finish = (merged) => merged, now } = patch;
  const manager = identifierOf(endpoint, patch.manager, 'Apply');
  const { config, live } = typedSides(patch);
  const outcome = refusing('', () => applyConfig({ live, config, managers: known.managers, manager, force }, versionsOf(endpoint)));
  if (outcome.conflicts !== undefined) return outcome;
  const managers = stripMeta(outcome.managers, manager);
  // Nothing changed: the entry keeps its time, whatever became of its fields.
  if (outcome.merged === undefined) return { object: patch.live, managed: { managers, times: known.times } };
  const times = new Map(known.times).set(manager, timeText(now()));
  return { object: finish(outcome.merged.value as ApiObject), managed: { managers, times } };
}

function typedSides({ endpoint, live, config }: ApplyPatch): { live: TypedValue; config: TypedValue } {
  if (managedFieldsOf(config) !== undefined) {
    throw new ApplyRefused({ status: 400, reason: 'BadRequest', message: 'metadata.managedFields must be nil' });
  }
  const typed = typedBy(endpoint);
  return {
    config: refusing(`failed to create typed patch object (${objectText(config)}): `, () => typedValue(config, typed)),
    live: refusing(`failed to create typed live object (${objectText(live)}): `, () =>
      typedValue(live, { ...typed, allowDuplicates: true }),
    ),
  };
}

function typedBy(endpoint: Endpoint): Pick<TypedValue, 'type' | 'apiVersion'> {
  return { type: typeOfEndpoint(endpoint), apiVersion: endpoint.apiVersion };
}

function refuseOther({ apiVersion, kind }: Endpoint, config: ApiObject): void {
  if (stringField(config, 'apiVersion') === apiVersion && stringField(config, 'kind') === kind) return;
  throw new ApplyRefused({ status: 400, reason: 'BadRequest', message: `invalid object type: ${kindText(config)}` });
}

function decoded(live: ApiObject): Managed {
  return refusing('failed to decode managed fields: ', () => decodeManagedFields(managedFieldsOf(live) ?? []));
}

/** A failure inside is answered with 500 and its text. */
function refusing<T>(prefix: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!OperatorError.isOperatorError(error)) throw error;
    throw new ApplyRefused({ status: 500, message: `${prefix}${error.message}` });
  }
}
