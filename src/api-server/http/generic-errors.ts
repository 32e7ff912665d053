import { StatusError } from '../status/index.js';

/**
 * The server's errors before a handler of the resource is found: without names, but with empty details.
 *
 * Source of the texts: apimachinery `NewGenericServerResponse`.
 */
function generic(code: number, reason: string, message: string): StatusError {
  return new StatusError({ status: 'Failure', code, reason, message, details: {} });
}

export function resourceNotFound(): StatusError {
  return generic(404, 'NotFound', 'the server could not find the requested resource');
}

export function methodNotAllowed(): StatusError {
  return generic(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');
}

/** @param available in the order in which the server lists them */
export function noAcceptableRepresentation(available: readonly string[]): StatusError {
  return generic(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`);
}

export function mediaTypeNotConsumed(): StatusError {
  return generic(415, 'UnsupportedMediaType', '415: Unsupported Media Type');
}

export function requestTimedOut(): StatusError {
  return generic(504, 'Timeout', 'Timeout: request did not complete within the allotted timeout');
}
