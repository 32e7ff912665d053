import { isJsonObject, type Json, type JsonObject } from '@keelson/kubernetes/apimachinery';
import type { UserInfo, WebhookOperation } from 'keelson/internal/definition';
import { NoReview } from './errors.js';
import { describeObject, textIn } from './json-record.js';

/** The question of an AdmissionReview. */
export interface AdmissionRequest {
  /** As it is echoed. */
  readonly apiVersion: string;
  readonly uid: string;
  readonly operation: WebhookOperation;
  readonly kind: { readonly group: string; readonly kind: string };
  readonly name: string;
  readonly namespace: string | undefined;
  readonly dryRun: boolean;
  readonly userInfo: UserInfo;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** Both have the same fields; API servers ask in the first that the configuration names. */
const API_VERSIONS = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'];
const OPERATIONS: readonly string[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] satisfies WebhookOperation[];

/** @throws NoReview (400) for a body that is not a review */
export function admissionRequestOf(document: Json): AdmissionRequest {
  const [apiVersion, kind] = [textIn(document, 'apiVersion'), textIn(document, 'kind')];
  if (kind !== 'AdmissionReview' || !API_VERSIONS.includes(apiVersion))
    throw new NoReview(
      400,
      `${JSON.stringify(`${apiVersion} ${kind}`)} is not reviewed here; send an AdmissionReview of ${API_VERSIONS.join(' or ')}`,
    );
  const request = isJsonObject(document) ? document['request'] : undefined;
  if (!isJsonObject(request)) throw new NoReview(400, 'the review has no request');
  const [uid, operation] = [textIn(request, 'uid'), textIn(request, 'operation')];
  if (uid === '') throw new NoReview(400, 'the request has no uid');
  if (!OPERATIONS.includes(operation))
    throw new NoReview(400, `${JSON.stringify(operation)} is not an operation; known are ${OPERATIONS.join(', ')}`);
  return {
    apiVersion,
    uid,
    operation: operation as WebhookOperation,
    kind: { group: textIn(request['kind'], 'group'), kind: textIn(request['kind'], 'kind') },
    name: textIn(request, 'name'),
    namespace: textIn(request, 'namespace') || undefined,
    dryRun: request['dryRun'] === true,
    userInfo: userInfoOf(request['userInfo']),
    object: objectIn(request, 'object'),
    oldObject: objectIn(request, 'oldObject'),
  };
}

/** The request as the log names it. */
export function describeRequest(request: AdmissionRequest): Readonly<Record<string, unknown>> {
  const { uid, operation, name, namespace, object, oldObject } = request;
  const described = describeObject(object ?? oldObject, name);
  return { uid, operation, object: described, ...(namespace === undefined ? {} : { namespace }) };
}

function objectIn(request: JsonObject, field: string): JsonObject | undefined {
  const object = request[field] ?? undefined;
  if (object !== undefined && !isJsonObject(object)) throw new NoReview(400, `the request's ${field} is not an object`);
  return object;
}

function userInfoOf(given: Json | undefined): UserInfo {
  const info = isJsonObject(given) ? given : {};
  const extra = isJsonObject(info['extra']) ? info['extra'] : {};
  return {
    username: textIn(info, 'username'),
    ...(textIn(info, 'uid') === '' ? {} : { uid: textIn(info, 'uid') }),
    groups: textsOf(info['groups']),
    extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, textsOf(values)])),
  };
}

function textsOf(given: Json | undefined): readonly string[] {
  return Array.isArray(given) ? given.filter((item): item is string => typeof item === 'string') : [];
}
