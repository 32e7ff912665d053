import {
  apiVersionOf,
  applyJsonPatch,
  isJsonObject,
  isRecord,
  type Json,
  type JsonObject,
  type KindInfo,
} from '@keelson/kubernetes/apimachinery';
import type { CustomResourceModel, Logger, UserInfo, Webhook, WebhookOperation } from 'keelson/internal/definition';
import { withPresence } from '../cache/index.js';
import { HandleError, OnceStore, type RecordedMetric, storedObject, usesOnce } from '../reconcile/index.js';
import { admissionRoute, type WebhookHandles } from './admission-route.js';
import { inVersion } from './object-versions.js';

/**
 * A request to a webhook in a test; lists of objects for what it watches, and fakes for what it uses, stand beside it under their names. The kind of an optional watch
 * is served if its list is given, be it empty.
 */
export interface AdmissionObservation<T extends object = object> {
  /** The new object; left out for deletions. `apiVersion`, `kind` and `metadata.namespace` are filled in. */
  readonly object?: T | undefined;
  /** The stored object: an update, or with no new one a deletion. @defaultValue none: a creation */
  readonly old?: T | undefined;
  /** @defaultValue what follows from `object` and `old` */
  readonly operation?: WebhookOperation | undefined;
  /** @defaultValue false */
  readonly dryRun?: boolean | undefined;
  /** @defaultValue a user named `test` without groups */
  readonly userInfo?: Partial<UserInfo> | undefined;
  readonly [name: string]: unknown;
}

/** The field that a refusal is about, as the API server shows it. */
export interface RefusedField {
  readonly field: string;
  readonly message: string;
  readonly reason: string;
}

export interface AdmittedOnce<T extends object = object> {
  readonly allowed: boolean;
  /** The whole refusal, as kubectl shows it; absent if it is allowed. */
  readonly message?: string | undefined;
  /** The refused fields; empty if it is allowed, or refused as a whole. */
  readonly causes: readonly RefusedField[];
  /** The object as it would be stored, with the webhook's changes; absent for a deletion. */
  readonly object?: T | undefined;
  readonly warnings: readonly string[];
  /** Calls of the metrics of the operator's own. */
  readonly metrics: readonly RecordedMetric[];
}

const SILENT: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const OWN_NAMES: readonly string[] = ['object', 'old', 'operation', 'dryRun', 'userInfo'];

/**
 * Asks a webhook once, without a server: the handler gets the object as it does in the process, with defaults, frozen where it only checks, and its answer is
 * read as there.
 *
 * @example
 * ```ts
 * const odd = validating(Memcached, ({ spec }) => (spec.size % 2 === 1 ? [] : [{ path: 'spec.size', message: 'must be odd' }]));
 * const { allowed, causes } = await admit(odd, { object: { metadata: { name: 'a' }, spec: { size: 2 } } });
 * ```
 *
 * @throws whatever the handler throws; HandleError for an external without a fake, a name that the webhook does not declare, and a request without objects
 */
export async function admit<T extends object, TExternals>(
  webhook: Webhook<TExternals>,
  observation: NoInfer<TExternals> & AdmissionObservation<T>,
): Promise<AdmittedOnce<T>> {
  const { watches = {}, uses = {} } = webhook;
  const given = observation as AdmissionObservation<T>;
  const unknown = Object.keys(given).find((name) => ![...OWN_NAMES, ...Object.keys(watches), ...Object.keys(uses)].includes(name));
  if (unknown !== undefined)
    throw new HandleError(
      `webhook ${webhook.name} declares no '${unknown}'; it has ${[...Object.keys(watches), ...Object.keys(uses)].join(', ') || 'none'}`,
    );
  const request = requestOf(webhook, given);
  const metrics: RecordedMetric[] = [];
  const thrown: unknown[] = [];
  const route = admissionRoute(
    webhook,
    handlesFor(webhook, given, (called) => void metrics.push(called)),
  );
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: request as Json };
  const { signal } = new AbortController();
  const answer = await route
    .answer(review, { signal, log: SILENT, claim: () => undefined, panicked: (error) => void thrown.push(error) })
    .catch((error: unknown) => {
      // The error of the handler, not the shorter text for API servers.
      throw thrown.length > 0 ? thrown[0] : error;
    });
  const { allowed, status, patch, warnings = [] } = answer['response'] as unknown as Response;
  const { object } = request;
  const patched =
    patch === undefined || object === undefined
      ? object
      : applyJsonPatch(object, JSON.parse(Buffer.from(patch, 'base64').toString()) as never);
  return {
    allowed,
    ...(status === undefined ? {} : { message: status.message }),
    causes: status?.details?.causes ?? [],
    ...(patched === undefined ? {} : { object: patched as unknown as T }),
    warnings,
    metrics,
  };
}

/**
 * Takes an object of a custom resource from one version to another, as the API server has it done by the operator: defaults are not filled in.
 *
 * @example
 * ```ts
 * const converted = convert(Memcached, { metadata: { name: 'a' }, spec: { size: 2 } }, Memcached);
 * expect(converted.spec.size).toBe(2);
 * ```
 *
 * @param from the kind in the version of the object: `CronJob.versions.v1`
 * @param to the kind in the version that is wanted
 * @throws HandleError for kinds that are not two versions of one custom resource; whatever the conversion throws; TypeError when it breaks its promise
 */
export function convert<T extends object>(from: KindInfo, object: object, to: KindInfo<T>): T {
  const resource = resourceOf(from);
  if (resource === undefined || resource !== resourceOf(to))
    throw new HandleError(`convert: ${from.kind} and ${to.kind} are not two versions of one custom resource`);
  const whole = { ...(jsonOf(object) as JsonObject), apiVersion: apiVersionOf(from), kind: from.kind };
  return inVersion(resource, whole, to.version) as unknown as T;
}

function resourceOf(kind: KindInfo): CustomResourceModel | undefined {
  return 'customResource' in kind ? (kind.customResource as CustomResourceModel) : undefined;
}

interface Response {
  readonly allowed: boolean;
  readonly status?: { readonly message: string; readonly details?: { readonly causes?: readonly RefusedField[] } };
  readonly patch?: string;
  readonly warnings?: readonly string[];
}

interface OnceRequest {
  readonly object?: JsonObject;
  readonly [field: string]: Json | undefined;
}

function requestOf(webhook: Webhook<never>, { object, old, operation, dryRun = false, userInfo = {} }: AdmissionObservation): OnceRequest {
  const known = object ?? old;
  if (known === undefined)
    throw new HandleError('admit: there is no object; give object for a creation, object and old for an update, old for a deletion');
  const kind = kindOf(webhook, known);
  const asked = operation ?? (object === undefined ? 'DELETE' : old === undefined ? 'CREATE' : 'UPDATE');
  const { metadata = {} } = known as { readonly metadata?: { readonly name?: string; readonly namespace?: string } };
  const namespace = kind.scope === 'Cluster' ? undefined : (metadata.namespace ?? 'default');
  const whole = (given: object | undefined): JsonObject | undefined => {
    if (given === undefined) return undefined;
    const json = jsonOf(given) as JsonObject;
    const own = isJsonObject(json['metadata']) ? json['metadata'] : {};
    // The object of a subresource is of another kind, and names it.
    const identity = webhook.subresource === undefined ? { apiVersion: apiVersionOf(kind), kind: kind.kind } : {};
    return { ...identity, ...json, metadata: { ...(namespace === undefined ? {} : { namespace }), ...own } };
  };
  const [young, before] = [whole(object), whole(old)];
  return {
    uid: 'test',
    operation: asked,
    kind: { group: kind.group, version: kind.version, kind: kind.kind },
    name: metadata.name ?? '',
    ...(namespace === undefined ? {} : { namespace }),
    dryRun,
    userInfo: { username: 'test', groups: [], ...userInfo } as unknown as Json,
    ...(young === undefined ? {} : { object: young }),
    ...(before === undefined ? {} : { oldObject: before }),
  };
}

/** The one that the object says it is of; the first where it says nothing. */
function kindOf({ kinds }: Webhook<never>, object: object): KindInfo {
  const { apiVersion, kind } = object as { readonly apiVersion?: unknown; readonly kind?: unknown };
  return kinds.find((each) => each.kind === kind && (apiVersion === undefined || apiVersionOf(each) === apiVersion)) ?? kinds[0];
}

function handlesFor(webhook: Webhook<never>, given: AdmissionObservation, recordMetric: (called: RecordedMetric) => void): WebhookHandles {
  const { watches = {}, uses = {}, name } = webhook;
  const used = usesOnce(uses, given, { who: `webhook ${name}`, how: (use) => `admit(webhook, { object, ${use}: fake })`, recordMetric });
  return {
    missing: () => [],
    synced: async () => undefined,
    of: (_, namespace) => ({
      ...Object.fromEntries(
        Object.entries(watches).map(([handle, { kind, indexes, optional }]) => {
          const listed = given[handle] ?? [];
          if (!Array.isArray(listed)) throw new HandleError(`the observation of '${handle}' is not a list of objects`);
          const stored = (object: object) => storedObject(kind, object);
          const store = new OnceStore(kind, listed.map(stored), { own: namespace, stored });
          const read = Object.freeze({ get: store.get, list: (options?: never) => store.list(options, indexes) });
          return [handle, withPresence(read, optional === true ? { isServed: given[handle] !== undefined } : undefined)];
        }),
      ),
      ...used,
    }),
  };
}

function jsonOf(object: object): Json {
  const json = JSON.parse(JSON.stringify(object)) as Json;
  if (!isRecord(json)) throw new HandleError('admit: the object is not one');
  return json;
}
