import { apiVersionOf, applyJsonPatch, equalJson, goKindText, type Json, OperatorError } from '@keelson/kubernetes/apimachinery';
import type { EvaluatedPatch } from '@keelson/kubernetes/cel';
import { type AdmissionRequest, draftOf, type JsonObject, type ServedVersion, servedGroupVersion } from '../../../contract/index.js';
import { internalError, StatusError } from '../../../status/index.js';
import { mergeConfiguration, type TypeRef } from '../../../values/index.js';
import type { VersionedResource } from '../match/index.js';

interface Place {
  readonly request: AdmissionRequest;
  readonly at: VersionedResource;
}

type Patched = { readonly object: JsonObject } | { readonly failed: string };

/**
 * An object behind one mutation, decoded and defaulted again.
 *
 * Source: apiserver `pkg/admission/plugin/policy/mutating/dispatcher.go` (dispatchOne) and `…/patch`.
 *
 * @returns a text where the policy cannot be applied: its `failurePolicy` decides
 * @throws StatusError 500 where a JSON Patch makes something that the kind cannot be read from
 */
export function patchedObject(object: JsonObject, patch: EvaluatedPatch, place: Place): Patched {
  try {
    return {
      object: patch.patchType === 'JSONPatch' ? operated(object, patch.operations, place) : configured(object, patch.configuration, place),
    };
  } catch (error) {
    const failed = refusalText(error);
    if (failed === undefined) throw error;
    return { failed };
  }
}

/** Codes of what a patch may meet that is the policy's fault, with the beginnings of the server's words. */
const REFUSALS: Readonly<Record<string, string>> = {
  KEELSON_PATCH_REFUSED: 'JSON Patch: ',
  KEELSON_APPLY_TYPE_MISMATCH: 'error applying patch: ',
  KEELSON_UNPATCHED: '',
};

function refusalText(error: unknown): string | undefined {
  if (!OperatorError.isOperatorError(error)) return undefined;
  const beginning = REFUSALS[error.code];
  return beginning === undefined ? undefined : `${beginning}${error.message}`;
}

/** The kind cannot be read from the patched object. */
class Unpatched extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_UNPATCHED';
}

function hasOwnKind({ request: { subresource, kind } }: Place): boolean {
  return subresource !== '' && kind !== undefined;
}

function operated(object: JsonObject, operations: readonly JsonObject[], place: Place): JsonObject {
  const result = tested(object, operations);
  // An object that has not changed has been read and defaulted before.
  if (equalJson(result, object)) return object;
  // A Scale has no strategy of its own: its registry reads it again.
  if (hasOwnKind(place)) return result as JsonObject;
  const { resource, version } = place.at;
  const { draft, strictProblems } = decoded(() => version.strategy.decode(result));
  if (strictProblems.length > 0 && !resource.isCustom) throw internalError(`strict decoding error: ${strictProblems.join(', ')}`);
  version.strategy.setDefaults(draft);
  return draft;
}

/** A `test` that does not hold leaves the object as it is, and the policy has not failed. */
function tested(object: JsonObject, operations: readonly JsonObject[]): Json {
  try {
    return applyJsonPatch(object, operations as readonly Json[], { maxOperations: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (OperatorError.isOperatorError(error) && /^testing value .* failed: test failed$/s.test(error.message)) return object;
    throw error;
  }
}

function decoded<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (StatusError.isStatusError(error)) throw internalError(error.message.replace(/^.*? cannot be handled as a \w+: /s, ''));
    throw error;
  }
}

function configured(object: JsonObject, configuration: JsonObject, place: Place): JsonObject {
  const { kind } = place.request;
  const { resource, version } = place.at;
  if (hasOwnKind(place) && kind !== undefined) throw new Unpatched(`${NO_TYPE} for ${goKindText(apiVersionOf(kind), kind.kind)}`);
  const { apiVersion = '', kind: name = '' } = object;
  const merged = mergeConfiguration(typeOf(version), object, { ...configuration, apiVersion, kind: name }) as JsonObject;
  if (equalJson(merged, object)) return object;
  const problem = version.strategy.unstructuredProblem?.(merged);
  if (problem !== undefined)
    throw new Unpatched(
      `unable to convert unstructured object to ${goKindText(apiVersionOf(servedGroupVersion(place.at)), resource.kind)}: ${problem}`,
    );
  const draft = resource.isCustom ? draftOf(merged) : version.strategy.decode(merged).draft;
  version.strategy.setDefaults(draft);
  return draft;
}

/** The server's documents do not say whose type that of a Scale is. */
const NO_TYPE = 'error applying patch: failed to convert patch object to typed object: no corresponding type';

function typeOf(version: ServedVersion): TypeRef {
  const { apiVersion, typeAt } = version.endpoint('');
  const type = typeAt(apiVersion);
  if (type === undefined) throw new RangeError(`the endpoint serves ${apiVersion} and has no type for it`);
  return type;
}
