import {
  applyJsonPatch,
  applyMergePatch,
  compareUtf8,
  goKindText,
  goValue,
  invalid,
  type Json,
  unknownJsonPatchFields,
} from '@keelson/kubernetes/apimachinery';
import {
  type Draft,
  draftOf,
  isObject,
  type JsonObject,
  type PatchFormat,
  type PatchRequest,
  type RequestContext,
  type Target,
  type WrittenObject,
  withConversions,
} from '../contract/index.js';
import { badRequest, conflict, invalidObject, notImplemented, plainError, StatusError } from '../status/index.js';
import { applyPatch, applyStrategicMergePatch } from '../values/index.js';
import { checkName } from './check-name.js';
import { namespaceOf } from './create.js';
import { strictDecodingError, warnOf } from './decode.js';
import { updateAt } from './endpoint-update.js';
import { Gate } from './gate.js';
import { draftMetadata, dropDuplicateOwners, ensureNamespace, metadataOf } from './metadata.js';
import type { Parts } from './parts.js';
import { patchedText } from './patched-text.js';
import { asStatusError, missing, resourceOf } from './refusals.js';
import type { Subject } from './subject.js';
import { track } from './track.js';

/** `PATCH` in all its formats. Source of the steps: apiserver, `pkg/endpoints/handlers/patch.go`. */
export async function patchObject(
  parts: Parts,
  { target, patch }: { target: Target; patch: PatchRequest },
  context: RequestContext,
): Promise<WrittenObject> {
  const subject = parts.subjectOf(target);
  const gate = new Gate(parts.admission, { target, context });
  const patcher = new Patcher(subject, { patch, context, isCustom: target.served.resource.isCustom });
  return updateAt(parts, {
    target,
    context,
    gate,
    createsMissing: patch.format === 'apply',
    async change(live) {
      const admitted = await gate.mutate(await patchedObject(patcher, { target, live }), live);
      dropDuplicateOwners(admitted, context, 'after admission');
      return admitted;
    },
  });
}

async function patchedObject(patcher: Patcher, { target, live }: { target: Target; live: JsonObject | undefined }): Promise<Draft> {
  if (live === undefined && !patcher.createsMissing) throw missing(target);
  const draft = await patcher.patched(live);
  const { uid = '' } = metadataOf(draft);
  if (live === undefined && uid !== '') {
    const text = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(resourceOf(target.served), target.name, text);
  }
  ensureNamespace(draftMetadata(draft), namespaceOf(target));
  checkName(target, draft);
  return draft;
}

/** Scales of custom resources cannot be applied in. Source: apiextensions-apiserver, `pkg/apiserver/conversion/converter.go`. */
const NO_SCALE = 'request to convert CR to an invalid group/version: autoscaling/v1';

/** A client's change, to be made to whatever the object is by then. */
class Patcher {
  readonly #subject: Subject;
  readonly #patch: PatchRequest;
  readonly #context: RequestContext;
  readonly #isCustom: boolean;

  constructor(subject: Subject, { patch, context, isCustom }: { patch: PatchRequest; context: RequestContext; isCustom: boolean }) {
    this.#subject = subject;
    this.#patch = patch;
    this.#context = context;
    this.#isCustom = isCustom;
  }

  get createsMissing(): boolean {
    return this.#patch.format === 'apply';
  }

  /** @throws StatusError */
  async patched(live: JsonObject | undefined): Promise<Draft> {
    try {
      const { format } = this.#patch;
      if (format === 'apply') return await this.#applied(live ?? this.#subject.empty);
      const current = live ?? this.#subject.empty;
      return await track(this.#subject, { draft: this.#decoded(this.#result(current, format), format), live: current }, this.#context);
    } catch (error) {
      throw asStatusError(error);
    }
  }

  #result(current: JsonObject, format: Exclude<PatchFormat, 'apply'>): Json {
    const { value } = this.#patch;
    const { fieldValidation } = this.#context;
    switch (format) {
      case 'json':
        return applyJsonPatch(current, value, { fieldValidation });
      case 'merge':
        return applyMergePatch(current, value, { fieldValidation });
      case 'strategic': {
        const { patchType, kind } = this.#subject;
        if (patchType === undefined) throw notImplemented(`a strategic merge patch of a ${kind}`);
        return applyStrategicMergePatch(current, value, patchType);
      }
    }
  }

  /** The result as the kind has it. An error shows the whole of it, that of a strategic merge patch the patch. */
  #decoded(result: Json, format: PatchFormat): Draft {
    const shown = (): string => (format === 'strategic' ? goValue(this.#patch.value) : patchedText(result, this.#patch));
    const refuse = (cause: string): StatusError => invalidObject({ group: '', kind: '' }, '', [invalid('patch', shown(), cause)]);
    // The first of several faults is reported, in the order of what is shown.
    const asShown = (): Json => (format === 'strategic' ? result : (JSON.parse(shown()) as Json));
    const { draft, strictProblems } = decodeResult(this.#subject, result, { refuse, format, asShown });
    const problems = [...this.#patchProblems(), ...(format === 'strategic' ? [...strictProblems].sort(compareUtf8) : strictProblems)];
    const { fieldValidation } = this.#context;
    if (problems.length > 0 && fieldValidation === 'Strict') throw refuse(strictDecodingError(problems));
    if (fieldValidation === 'Warn') warnOf(problems, this.#context);
    this.#subject.setDefaults(draft);
    return draft;
  }

  /** The complaints of strict decoding about the patch itself. */
  #patchProblems(): readonly string[] {
    const { format, value, strictProblems } = this.#patch;
    if (format !== 'json') return strictProblems;
    return [...strictProblems.map((problem) => `json patch ${problem}`), ...unknownJsonPatchFields(value)];
  }

  async #applied(live: JsonObject): Promise<Draft> {
    const { value, force, strictProblems } = this.#patch;
    const { fieldManager: manager, fieldValidation, now } = this.#context;
    if (value !== null && !isObject(value)) {
      const cause = `json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`;
      throw badRequest(`error decoding patch: error unmarshaling JSON: while decoding JSON: ${cause}`);
    }
    const { endpoint, empty } = this.#subject;
    const config = (value ?? {}) as JsonObject;
    this.#checkScale(live);
    const { object } = await withConversions(() =>
      applyPatch({ endpoint, live, empty, config, manager, force, finish: (merged) => this.#finished(merged), now }),
    );
    if (strictProblems.length > 0 && fieldValidation === 'Strict')
      throw badRequest(`error strict decoding patch: ${strictProblems.join(', ')}`);
    if (fieldValidation === 'Warn') warnOf(strictProblems, this.#context);
    // Parts of it are those of the stored object.
    return draftOf(object);
  }

  /** Where no manager holds the number of replicas, the server first looks who might, and fails at it for custom resources. */
  #checkScale(live: JsonObject): void {
    if (!this.#isScaleOfCustom() || (metadataOf(live).managedFields ?? []).length > 0) return;
    const failure = 'failed to create manager for existing fields: failed to convert live object';
    throw plainError(`${failure} (/; autoscaling/v1, Kind=Scale) to proper version: ${NO_SCALE}`);
  }

  #isScaleOfCustom(): boolean {
    return this.#isCustom && this.#subject.endpoint.subresource === 'scale';
  }

  /** The result of an apply differs from a body: a fault that no type of the schema can see (bad base64, a scale of a custom resource) fails here. */
  #finished(merged: JsonObject): JsonObject {
    const { endpoint, kind } = this.#subject;
    const type = goKindText(endpoint.apiVersion, kind);
    const problem = this.#subject.unstructuredProblem?.(merged);
    if (problem !== undefined) throw this.#unfinished(type, `unable to convert unstructured object to ${type}: ${problem}`);
    if (this.#isScaleOfCustom()) throw this.#unfinished(type, NO_SCALE);
    const draft = this.#isCustom ? this.#customDraft(merged) : this.#subject.decode(merged).draft;
    this.#subject.setDefaults(draft);
    return draft;
  }

  /** A custom resource keeps what its schema forbids, nulls above all: validation reports it. Its metadata have a Go type. */
  #customDraft(merged: JsonObject): Draft {
    const draft = draftOf(merged);
    const { apiVersion, kind, metadata } = merged;
    const bare = this.#subject.decode({ apiVersion, kind, metadata } as Json).draft;
    if (bare['metadata'] !== undefined) draft['metadata'] = bare['metadata'];
    return draft;
  }

  #unfinished(type: string, cause: string): StatusError {
    const { namespace = '', name = '' } = metadataOf(this.#patch.value as JsonObject);
    return plainError(`failed to convert new object (${namespace}/${name}; ${type}) to proper version: ${cause}`);
  }
}

interface Decoding {
  readonly refuse: (cause: string) => StatusError;
  readonly format: PatchFormat;
  readonly asShown: () => Json;
}

function decodeResult(subject: Subject, result: Json, { refuse, format, asShown }: Decoding): ReturnType<Subject['decode']> {
  // The result of a strategic merge patch never becomes a text again: another reader takes it, and has other words.
  const problem = format === 'strategic' ? subject.unstructuredProblem?.(result) : undefined;
  if (problem !== undefined) throw refuse(problem);
  try {
    subject.checkType(result);
    return subject.decode(result);
  } catch (error) {
    if (!StatusError.isStatusError(error) || error.status.code !== 400) throw error;
    const other = asShown();
    if (other !== result) return decodeResult(subject, other, { refuse, format, asShown: () => other });
    // The sentence around the cause is one of bodies.
    throw refuse((error.status.message ?? '').replace(/^\S+ in version ".*?" cannot be handled as an? \S+: /, ''));
  }
}

function jsonKind(value: Json): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
