import { type Json, OperatorError, type PatchRefused } from '@keelson/kubernetes/apimachinery';
import type { Served } from '../contract/index.js';
import {
  alreadyExists,
  badRequest,
  conflict,
  generateNameConflict,
  notFound,
  plainError,
  type ResourceName,
  StatusError,
} from '../status/index.js';
import type { StoreProblem } from '../store/index.js';
import type { ApplyRefused } from '../values/index.js';
import { metadataOf } from './metadata.js';

/** Source: apiserver, `pkg/registry/generic/registry/store.go`. */
const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

export function resourceOf({ resource }: Served): ResourceName {
  return { group: resource.group, plural: resource.plural };
}

/** A read that the store refused. Source of forms: apiserver, `pkg/storage/errors.go`, `pkg/storage/errors/storage.go`. */
export function readRefusal(problem: StoreProblem, { retryAfterSeconds = 1 }: { readonly retryAfterSeconds?: number } = {}): StatusError {
  const { kind, message } = problem;
  switch (kind) {
    case 'BadRequest':
      return badRequest(message);
    case 'Expired':
      return expired(message, problem.continue);
    case 'ResourceVersionTooLarge':
      return tooLarge(message, retryAfterSeconds);
    default:
      return plainError(message);
  }
}

function expired(message: string, token: string | undefined): StatusError {
  return new StatusError({ status: 'Failure', code: 410, reason: 'Expired', message, ...(token === undefined ? {} : { continue: token }) });
}

function tooLarge(message: string, retryAfterSeconds: number): StatusError {
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return new StatusError({
    status: 'Failure',
    code: 504,
    reason: 'Timeout',
    message: `Timeout: ${message}`,
    details: { causes, retryAfterSeconds },
  });
}

/** A read "not older than" a revision that no number of JavaScript holds. */
export function tooLargeRevision(requested: string, current: number): StatusError {
  return tooLarge(`Too large resource version: ${requested}, current: ${current}`, 1);
}

/** A create that found an object of the name. */
export function existsRefusal(served: Served, name: string, found: { readonly generated: boolean; readonly current: Json }): StatusError {
  const resource = resourceOf(served);
  const refusal = found.generated ? generateNameConflict(resource, name) : alreadyExists(resource, name);
  const isTerminating = metadataOf(found.current as { readonly [field: string]: Json }).deletionTimestamp !== undefined;
  if (!isTerminating) return refusal;
  return new StatusError({ ...refusal.status, message: `object is being deleted: ${refusal.status.message}` });
}

export function missing({ served, name }: { readonly served: Served; readonly name: string }): StatusError {
  return notFound(resourceOf(served), name);
}

export function modified({ served, name }: { readonly served: Served; readonly name: string }): StatusError {
  return conflict(resourceOf(served), name, MODIFIED);
}

/** The errors of patches and applies, as a Status. Other errors stay as they are. */
export function asStatusError(error: unknown): unknown {
  if (!OperatorError.isOperatorError(error)) return error;
  if (error.code === 'KEELSON_PATCH_REFUSED') return patchRefusal(error as PatchRefused);
  if (error.code === 'KEELSON_APPLY_REFUSED') return applyRefusal(error as ApplyRefused);
  return error;
}

function patchRefusal({ refusal: { status, reason, message } }: PatchRefused): StatusError {
  // The server makes this one error with details that hold nothing.
  const details = status === 422 ? { details: {} } : {};
  return new StatusError({ status: 'Failure', code: status, message, ...(reason === undefined ? {} : { reason }), ...details });
}

function applyRefusal({ refusal: { status, reason, message, causes } }: ApplyRefused): StatusError {
  const details = causes === undefined ? {} : { details: { causes } };
  return new StatusError({ status: 'Failure', code: status, message, ...(reason === undefined ? {} : { reason }), ...details });
}
