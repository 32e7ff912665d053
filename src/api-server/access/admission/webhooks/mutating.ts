import { applyJsonPatch, equalJson, goQuote, type Json, type PatchRefused } from '@keelson/kubernetes/apimachinery';
import type { AdmissionRequest, ClusterView, JsonObject, ResourceCatalog } from '../../../contract/index.js';
import { internalError, StatusError } from '../../../status/index.js';
import { isExempt } from '../match/index.js';
import type { AdmissionPlugin, AdmissionRound } from '../plugin.js';
import { askWebhook, type CallFailure, failure, type WebhookCaller } from './call.js';
import { type Webhook, WebhookSource } from './configuration.js';
import { type Invocation, invocationOf } from './matching.js';
import type { Verdict } from './review.js';
import { type Objects, objectsAt, orInternalError } from './versioned-objects.js';

export interface WebhookSurroundings {
  readonly cluster: ClusterView;
  readonly catalog: ResourceCatalog;
  readonly caller: WebhookCaller;
}

/** Which webhooks have to see the object again. Source: apiserver `webhook/mutating/reinvocationcontext.go`. */
interface Reinvocations {
  lastOutput: JsonObject | undefined;
  previous: Set<string>;
  readonly wanted: Set<string>;
}

/**
 * MutatingAdmissionWebhook: all matching webhooks one after the other, each seeing what those before it have made of the object.
 *
 * Source: apiserver `pkg/admission/plugin/webhook/mutating/dispatcher.go`.
 */
export function mutatingWebhooks(surroundings: WebhookSurroundings): AdmissionPlugin {
  const source = new WebhookSource(surroundings.cluster, 'mutatingwebhookconfigurations');
  return {
    name: 'MutatingAdmissionWebhook',
    mutate(request, round) {
      const webhooks = isExempt(request) ? [] : source.webhooks();
      return webhooks.length === 0 ? request.object : new Mutation(request, round, surroundings).run(webhooks);
    },
  };
}

/** One request on its way through the webhooks. */
class Mutation {
  readonly #request: AdmissionRequest;
  readonly #round: AdmissionRound;
  readonly #surroundings: WebhookSurroundings;
  readonly #memory: Reinvocations;
  /** The object as the webhook before has left it, at the version that this webhook was given. */
  #objects: Objects;

  constructor(request: AdmissionRequest, round: AdmissionRound, surroundings: WebhookSurroundings) {
    this.#request = request;
    this.#round = round;
    this.#surroundings = surroundings;
    this.#objects = request;
    this.#memory = round.memory('MutatingAdmissionWebhook', () => ({
      lastOutput: undefined,
      previous: new Set<string>(),
      wanted: new Set<string>(),
    }));
  }

  async run(webhooks: readonly Webhook[]): Promise<JsonObject | undefined> {
    const memory = this.#memory;
    // Plugins of the server itself may have changed the object since.
    if (this.#round.isReinvocation && !equalJson(memory.lastOutput, this.#request.object)) requireReinvocation(memory);
    for (const webhook of webhooks) await this.#step(webhook);
    memory.lastOutput = await this.#atRequestVersion();
    return memory.lastOutput;
  }

  async #step(webhook: Webhook): Promise<void> {
    const { cluster, catalog, caller } = this.#surroundings;
    const at = (invocation: Invocation): Promise<Objects> => orInternalError(objectsAt(this.#objects, this.#request, invocation), 2);
    const current: AdmissionRequest = { ...this.#request, ...this.#objects };
    const invocation = await invocationOf(webhook, current, { cluster, catalog, objectsAt: at });
    if (invocation === undefined || (this.#round.isReinvocation && !this.#memory.wanted.has(webhook.uid))) return;
    this.#objects = await at(invocation);
    const request: AdmissionRequest = { ...this.#request, ...this.#objects };
    const verdict = await askWebhook(invocation, request, { caller, mayPatch: true });
    const outcome = 'failure' in verdict ? verdict : this.#patched(invocation, request, verdict);
    if (isFailure(outcome)) failOpenOrThrow(webhook, outcome);
    else if (outcome !== undefined) this.#replace(outcome);
    if (webhook.reinvocationPolicy === 'IfNeeded') this.#memory.previous.add(webhook.uid);
  }

  #replace(object: JsonObject): void {
    const isChanged = !equalJson(object, this.#objects.object);
    this.#objects = { ...this.#objects, object };
    if (!isChanged) return;
    requireReinvocation(this.#memory);
    this.#round.requestReinvocation();
  }

  /** @returns undefined where there is nothing to change. */
  #patched(
    invocation: Invocation,
    { object, subresource, kind }: AdmissionRequest,
    { patch, patchType }: Verdict,
  ): JsonObject | CallFailure | undefined {
    const { webhook, version } = invocation;
    if (patch === '') return undefined;
    const operations = parsedPatch(patch);
    if (typeof operations === 'string') return failure(webhook, `received undecodable patch in webhook response: ${operations}`);
    if (operations.length === 0) return undefined;
    if (object === undefined) {
      throw internalError(
        `admission webhook ${goQuote(webhook.name)} attempted to modify the object, which is not supported for this operation`,
      );
    }
    if (patchType !== 'JSONPatch') return failure(webhook, `unsupported patch type ${goQuote(patchType)}`);
    const result = applied(object, operations);
    // A Scale or Eviction has no strategy of its own: its registry reads it again.
    if (subresource !== '' && kind !== undefined) return result as JsonObject;
    const { draft } = decoded(() => version.strategy.decode(result));
    version.strategy.setDefaults(draft);
    return draft;
  }

  async #atRequestVersion(): Promise<JsonObject | undefined> {
    // Nothing was converted, or everything is converted back.
    const { object: current } = this.#objects;
    const { object } = await objectsAt({ ...(current && { object: current }) }, this.#request, this.#request.served);
    return object;
  }
}

function requireReinvocation(memory: Reinvocations): void {
  for (const uid of memory.previous) memory.wanted.add(uid);
  memory.previous = new Set();
}

function isFailure(outcome: JsonObject | CallFailure | undefined): outcome is CallFailure {
  return outcome !== undefined && typeof outcome['failure'] === 'string' && !('metadata' in outcome);
}

export function failOpenOrThrow({ failurePolicy }: Webhook, { failure: text }: CallFailure): void {
  if (failurePolicy !== 'Ignore') throw internalError(text);
}

function parsedPatch(patch: string): readonly Json[] | string {
  try {
    const operations = JSON.parse(patch) as Json;
    return Array.isArray(operations) ? (operations as readonly Json[]) : 'json: cannot unmarshal into Go value of type jsonpatch.Patch';
  } catch (error) {
    return (error as Error).message;
  }
}

function applied(object: JsonObject, operations: readonly Json[]): Json {
  try {
    return applyJsonPatch(object, operations, { maxOperations: Number.POSITIVE_INFINITY });
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === PATCH_REFUSED) throw internalError((error as PatchRefused).message);
    throw error;
  }
}

const PATCH_REFUSED: PatchRefused['code'] = 'KEELSON_PATCH_REFUSED';

function decoded<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (StatusError.isStatusError(error)) throw internalError(error.message);
    throw error;
  }
}
