import { type FieldError, fieldErrorText, goQuote, nameInGroup } from '@keelson/kubernetes/apimachinery';
import type { StatusCause, StatusDetails } from './status.js';
import { StatusError } from './status-error.js';

/** Names a resource in an error: `deployments` of group `apps`. */
export interface ResourceName {
  readonly group: string;
  readonly plural: string;
}

/** Names a kind in an error. */
export interface KindName {
  readonly group: string;
  readonly kind: string;
}

interface Failure {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
  readonly details?: StatusDetails;
}

function failure(fields: Failure): StatusError {
  return new StatusError({ status: 'Failure', ...fields });
}

function detailsOf({ group, plural }: ResourceName, name: string): StatusDetails {
  return { name, group, kind: plural };
}

// Texts: apimachinery `pkg/api/errors/errors.go`.

export function notFound(resource: ResourceName, name: string): StatusError {
  const message = `${nameInGroup(resource.plural, resource.group)} ${goQuote(name)} not found`;
  return failure({ code: 404, reason: 'NotFound', message, details: detailsOf(resource, name) });
}

export function alreadyExists(resource: ResourceName, name: string, { prefix = '' }: { readonly prefix?: string } = {}): StatusError {
  const message = `${prefix}${nameInGroup(resource.plural, resource.group)} ${goQuote(name)} already exists`;
  return failure({ code: 409, reason: 'AlreadyExists', message, details: detailsOf(resource, name) });
}

export function generateNameConflict(resource: ResourceName, name: string): StatusError {
  const message = `${nameInGroup(resource.plural, resource.group)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`;
  return failure({ code: 409, reason: 'AlreadyExists', message, details: { ...detailsOf(resource, name), retryAfterSeconds: 1 } });
}

export function conflict(resource: ResourceName, name: string, text: string): StatusError {
  const message = `Operation cannot be fulfilled on ${nameInGroup(resource.plural, resource.group)} ${goQuote(name)}: ${text}`;
  return failure({ code: 409, reason: 'Conflict', message, details: detailsOf(resource, name) });
}

export function forbidden(resource: ResourceName, name: string, text: string, causes: readonly StatusCause[] = []): StatusError {
  const subject = resource.plural === '' ? '' : nameInGroup(resource.plural, resource.group);
  const named = name === '' ? subject : `${subject} ${goQuote(name)}`;
  const message = subject === '' && name === '' ? `forbidden: ${text}` : `${named} is forbidden: ${text}`;
  return failure({ code: 403, reason: 'Forbidden', message, details: { ...detailsOf(resource, name), causes } });
}

/** Several errors of the same field and text appear once in the message. */
export function invalidObject({ group, kind }: KindName, name: string, errors: readonly FieldError[]): StatusError {
  const texts = [...new Set(errors.map(fieldErrorText))];
  const text = texts.length === 0 ? '<nil>' : texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const message = `${nameInGroup(kind, group)} ${goQuote(name)} is invalid: ${text}`;
  const causes = errors.map(({ reason, message: detail, field }) => ({ reason, message: detail, field }));
  return failure({ code: 422, reason: 'Invalid', message, details: { name, group, kind, causes } });
}

export function badRequest(message: string): StatusError {
  return failure({ code: 400, reason: 'BadRequest', message });
}

export function unauthorized(): StatusError {
  return failure({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
}

export function methodNotSupported(resource: ResourceName, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind ${goQuote(nameInGroup(resource.plural, resource.group))}`;
  return failure({ code: 405, reason: 'MethodNotAllowed', message, details: { group: resource.group, kind: resource.plural } });
}

export function unsupportedMediaType(message: string): StatusError {
  return failure({ code: 415, reason: 'UnsupportedMediaType', message });
}

export function notAcceptable(message: string): StatusError {
  return failure({ code: 406, reason: 'NotAcceptable', message });
}

export function requestEntityTooLarge(text: string): StatusError {
  return failure({ code: 413, reason: 'RequestEntityTooLarge', message: `Request entity too large: ${text}` });
}

export function internalError(text: string): StatusError {
  return failure({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${text}`,
    details: { causes: [{ message: text }] },
  });
}

/** An error that the server has no class for: a plain Go error. */
export function plainError(message: string): StatusError {
  return failure({ code: 500, message });
}

export function tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return failure({ code: 429, reason: 'TooManyRequests', message, details: { retryAfterSeconds } });
}

export function serviceUnavailable(message: string): StatusError {
  return failure({ code: 503, reason: 'ServiceUnavailable', message });
}

/** A feature that a real server has and this one lacks: refused by name, never done wrongly. */
export function notImplemented(what: string): StatusError {
  return failure({ code: 501, reason: 'NotImplemented', message: `${what} is not implemented by keelson's in-process API server` });
}
