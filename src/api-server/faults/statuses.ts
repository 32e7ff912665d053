import { invalid } from '@keelson/kubernetes/apimachinery';
import type { InterceptedRequest } from '../http/index.js';
import {
  conflict,
  forbidden,
  internalError,
  invalidObject,
  notFound,
  plainError,
  type Status,
  serviceUnavailable,
  tooManyRequests,
} from '../status/index.js';

/** Codes of refusals that can be ordered. */
export type FailStatus = 403 | 404 | 409 | 410 | 422 | 429 | 500 | 503 | 504;

export interface FailOptions {
  readonly status: FailStatus;
  /** Default: what the server says in such a case. */
  readonly message?: string;
  /** For 429 and 503: the pause that the client is asked for. Default 1 for 429, none for 503. */
  readonly retryAfterSeconds?: number;
}

/** The server's answer to such a fault. */
export function failure({ status, message, retryAfterSeconds }: FailOptions, { info }: Pick<InterceptedRequest, 'info'>): Status {
  const made = statusOf(status, info, retryAfterSeconds);
  const details =
    retryAfterSeconds === undefined || status === 429 ? made.details : { ...made.details, retryAfterSeconds: retryAfterSeconds };
  return { ...made, ...(message === undefined ? {} : { message }), ...(details === undefined ? {} : { details }) };
}

function statusOf(code: FailStatus, info: InterceptedRequest['info'], retryAfterSeconds = 1): Status {
  const resource = { group: info.group, plural: info.resource };
  switch (code) {
    case 403:
      return forbidden(resource, info.name, 'a fault was ordered').status;
    case 404:
      return notFound(resource, info.name).status;
    case 409:
      return conflict(resource, info.name, 'the object has been modified; please apply your changes to the latest version and try again')
        .status;
    case 410:
      return expired('too old resource version: a fault was ordered');
    case 422:
      return invalidObject({ group: info.group, kind: info.resource }, info.name, [invalid('spec', '', 'a fault was ordered')]).status;
    case 429:
      return tooManyRequests('too many requests, please try again later', retryAfterSeconds).status;
    case 500:
      return internalError('a fault was ordered').status;
    case 503:
      return serviceUnavailable('the server is currently unable to handle the request').status;
    case 504:
      return { ...plainError('Timeout: request did not complete within the allotted timeout').status, code: 504, reason: 'Timeout' };
  }
  throw new TypeError(`no status ${JSON.stringify(code satisfies never)}`);
}

/** The history that was asked for is gone. */
export function expired(message: string): Status {
  return { status: 'Failure', message, reason: 'Expired', code: 410 };
}
