import {
  createJsonPatch,
  deepFreeze,
  equalJson,
  errorOf,
  isJsonObject,
  type Json,
  type JsonObject,
  type KindInfo,
} from '@keelson/kubernetes/apimachinery';
import type { AdmissionContext, AdmissionWebhookModel, Refusal } from 'keelson/internal/definition';
import { type AdmissionRequest, admissionRequestOf, describeRequest } from './admission-request.js';
import type { Call, Route } from './call.js';
import { NoReview, textOf } from './errors.js';
import type { AdmissionHandles } from './handles.js';
import { HandlerView } from './object-versions.js';
import { asJson, copyJson } from './plain-json.js';
import { deniedStatus, invalidStatus, refusalsOf } from './refusal-status.js';
import { publishAdmission } from './review-channel.js';

type Handler = (object: JsonObject, context: AdmissionContext<JsonObject>) => unknown;

/** The handles of a webhook: kinds that it reads, and externals, settings and metrics. */
export type WebhookHandles = Pick<AdmissionHandles, 'missing' | 'of' | 'synced'>;

/** Members of `response` beside the uid. */
type Answer = { readonly [field: string]: Json };

/**
 * Puts one webhook of a definition behind its path.
 *
 * Flow: what the webhook reads is there, or is waited for as long as the API server waits → the object is shown to the handler in the version of its kind and
 * with its defaults, beside handles for what the webhook reads → a changed object becomes a JSON Patch, refusals become a Status.
 * Guarantees: an error of a handler, or an invalid answer, denies nothing: the request fails with 500 and `failurePolicy` decides (H59). Identity of the
 * object (apiVersion, kind, name, namespace, uid) is not a handler's to change.
 */
export function admissionRoute(webhook: AdmissionWebhookModel, handles: WebhookHandles | undefined): Route {
  const views = webhook.kinds.map((kind) => ({ kind, view: new HandlerView(kind, webhook.type) }));
  return {
    path: webhook.path,
    get problem() {
      const missing = handles?.missing(webhook) ?? [];
      return missing.length === 0 ? undefined : `the first list of ${missing.join(', ')} is not complete`;
    },
    async answer(document, call) {
      const request = admissionRequestOf(document);
      const { apiVersion, uid } = request;
      const view = viewOf(views, request);
      const own = { ...call, handles: handles?.of(webhook, request.namespace, call.signal) ?? {} };
      // A process that ends before its caches are filled is not a fault of the handler.
      await handles?.synced(webhook, call.signal);
      const startedMs = performance.now();
      const outcome: { response?: Answer; error?: unknown } = {};
      try {
        const answer = await (webhook.type === 'mutating' ? mutated(webhook, view, request, own) : validated(webhook, view, request, own));
        outcome.response = answer;
        call.log.debug('webhook answered', { ...describeRequest(request), allowed: answer['allowed'] });
        return { apiVersion, kind: 'AdmissionReview', response: { uid, ...answer } };
      } catch (thrown) {
        const error = errorOf(thrown);
        outcome.error = textOf(error);
        if (NoReview.is(error)) throw error;
        call.panicked(error, describeRequest(request));
        throw new NoReview(500, `the handler of ${webhook.name} failed: ${textOf(error)}`);
      } finally {
        publishAdmission(webhook.name, request, { ...outcome, tookMs: performance.now() - startedMs });
      }
    },
  };
}

interface KindView {
  readonly kind: KindInfo;
  readonly view: HandlerView;
}

/** A subresource carries an object of another kind, which any view leaves as it is. */
function viewOf([first, ...others]: readonly KindView[], { kind: { group, kind } }: AdmissionRequest): HandlerView {
  const found = others.find((other) => other.kind.group === group && other.kind.kind === kind) ?? first;
  if (found === undefined) throw new NoReview(500, 'the webhook covers no kind');
  return found.view;
}

/** A call with the handles of its webhook. */
interface ReadingCall extends Call {
  readonly handles: Readonly<Record<string, unknown>>;
}

async function mutated(
  { handle }: AdmissionWebhookModel,
  view: HandlerView,
  request: AdmissionRequest,
  call: ReadingCall,
): Promise<Answer> {
  const { object } = request;
  if (object === undefined) throw new NoReview(400, `the request of operation ${request.operation} has no object to change`);
  const before = view.shown(object, call.claim);
  const draft = copyJson(before);
  const { context, warnings } = contextOf(request, request.oldObject && deepFreeze(view.shown(request.oldObject, call.claim)), call);
  const returned = await (handle as Handler)(draft, context);
  if (typeof returned === 'string' || Array.isArray(returned)) {
    const refused = refusal(refusalsOf(returned), request, before);
    if (refused !== undefined) return { ...refused, ...warnings() };
  } else if (returned !== undefined && !isJsonObject(returned))
    throw new TypeError(
      `the handler returned ${returned === null ? 'null' : typeof returned}; return the object, change it in place, or return refusals`,
    );
  const after = asJson(isJsonObject(returned) ? returned : draft);
  checkIdentity(before, after);
  // Defaults alone are not change: the server sets them itself.
  const patch = equalJson(before, after) ? [] : createJsonPatch(object, view.returned(after, object));
  if (patch.length === 0) return { allowed: true, ...warnings() };
  return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64'), ...warnings() };
}

async function validated(webhook: AdmissionWebhookModel, view: HandlerView, request: AdmissionRequest, call: ReadingCall): Promise<Answer> {
  const handler = handlerOf(webhook, request);
  // A deletion, and nothing else, is about the object that is there.
  const subject = request.operation === 'DELETE' ? request.oldObject : request.object;
  if (subject === undefined) throw new NoReview(400, `the request of operation ${request.operation} has no object to check`);
  const shown = deepFreeze(view.shown(subject, call.claim));
  const { oldObject } = request;
  const old = subject === oldObject ? shown : oldObject && deepFreeze(view.shown(oldObject, call.claim));
  const { context, warnings } = contextOf(request, old, call);
  const refusals = refusalsOf(await handler(shown, context));
  return { ...(refusal(refusals, request, shown) ?? { allowed: true }), ...warnings() };
}

/** Undefined when nothing is refused. */
function refusal(refusals: readonly Refusal[] | string, { kind, name }: AdmissionRequest, object: JsonObject): Answer | undefined {
  if (refusals.length === 0) return undefined;
  if (typeof refusals === 'string') return { allowed: false, status: deniedStatus(refusals) };
  return { allowed: false, status: invalidStatus({ ...kind, name, object }, refusals) };
}

/** A configuration that asks for more than the definition answers is of another version: to allow an unchecked request would be wrong. */
function handlerOf({ handle, name }: AdmissionWebhookModel, { operation }: AdmissionRequest): Handler {
  const handler = (handle as Readonly<Record<string, unknown>>)[operation.toLowerCase()];
  if (typeof handler !== 'function') throw new NoReview(400, `${name} does not check the operation ${operation}`);
  return handler as Handler;
}

function contextOf(
  request: AdmissionRequest,
  old: JsonObject | undefined,
  { signal, handles }: ReadingCall,
): { readonly context: AdmissionContext<JsonObject>; readonly warnings: () => Answer } {
  const { operation, name, dryRun, userInfo, namespace } = request;
  const told: string[] = [];
  const context: AdmissionContext<JsonObject> = {
    ...handles,
    operation,
    ...(name === '' ? {} : { name }),
    ...(old === undefined ? {} : { old }),
    dryRun,
    userInfo,
    ...(namespace === undefined ? {} : { namespace }),
    signal,
    warn: (message) => void told.push(String(message)),
  };
  return { context, warnings: () => (told.length === 0 ? {} : { warnings: told }) };
}

const IDENTITY = ['name', 'namespace', 'uid'] as const;

function checkIdentity(before: JsonObject, after: JsonObject): void {
  for (const field of ['apiVersion', 'kind']) {
    if (after[field] !== before[field])
      throw new TypeError(`the handler changed ${field} to ${JSON.stringify(after[field])}; it must stay`);
  }
  const [old, now] = [before['metadata'], after['metadata']].map((metadata) => (isJsonObject(metadata) ? metadata : {}));
  for (const field of IDENTITY) {
    // An object with generateName may be given its name.
    if (old?.[field] !== undefined && now?.[field] !== old[field])
      throw new TypeError(`the handler changed metadata.${field} to ${JSON.stringify(now?.[field])}; it must stay`);
  }
}
