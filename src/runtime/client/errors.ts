import { OperatorError } from '@keelson/kubernetes/apimachinery';
import { ApiError, type Refusal } from './api-error.js';
import { type MissingRight, missingRight, rightText } from './forbidden-right.js';
import type { StatusCause } from './status.js';

/** 404. The object is not there, or the server does not serve the resource at all: a CustomResourceDefinition is missing. */
export class NotFoundError extends ApiError {
  /** Stable identifier of this error: compare it, not the class. */
  override readonly code = 'KEELSON_API_NOT_FOUND';
  /** `admin` if the server does not serve the resource; `nobody` if only the object does not exist. */
  override readonly actor: 'admin' | 'nobody';
  /** False: the resource is not served, so that its CustomResourceDefinition or its version is missing. */
  readonly isServed: boolean;

  constructor(refusal: Refusal) {
    // Only the answer of a registry names an object; the one for an unknown path has no details, or none at all.
    const isServed = (refusal.status.details?.name ?? '') !== '';
    super(
      refusal,
      isServed ? undefined : 'the server does not serve this resource: is its CustomResourceDefinition installed, with this version?',
    );
    this.isServed = isServed;
    this.actor = isServed ? 'nobody' : 'admin';
  }
}

/** 409 on a creation. */
export class AlreadyExistsError extends ApiError {
  /** Stable identifier of this error: compare it, not the class. */
  override readonly code = 'KEELSON_API_ALREADY_EXISTS';
  /** The caller reads the existing object; no person has to act. */
  override readonly actor = 'nobody';
}

/** 409: the object has changed since it was read, or a precondition does not hold. Read it again. */
export class ConflictError extends ApiError {
  /** Stable identifier of this error: compare it, not the class. */
  override readonly code = 'KEELSON_API_CONFLICT';
  /** The caller reads the object again and retries; no person has to act. */
  override readonly actor = 'nobody';
}

/** A field that another manager owns. */
export interface FieldConflict {
  /** The other manager as the server names it, for example `"kubectl" using apps/v1`. */
  readonly manager: string;
  /** For example `.spec.replicas`. */
  readonly field: string;
}

/** 409 on a server-side apply: other managers own fields with other values. */
export class ApplyConflictError extends ApiError {
  override readonly code = 'KEELSON_API_APPLY_CONFLICT';
  override readonly actor = 'author';
  readonly conflicts: readonly FieldConflict[];

  constructor(refusal: Refusal) {
    super(refusal, 'leave these fields out of what is applied, or take them over with force');
    this.conflicts = this.causes.map(({ message = '', field = '' }) => ({ manager: message.replace(/^conflict with /, ''), field }));
  }
}

/** 422: fields that the schema, a rule or a webhook refuses. `causes` names them. */
export class InvalidError extends ApiError {
  /** Stable identifier of this error: compare it, not the class. */
  override readonly code = 'KEELSON_API_INVALID';
  /** The user corrects the fields that the causes name. */
  override readonly actor = 'user';

  /** The causes that name a field. */
  get fields(): readonly (StatusCause & { readonly field: string })[] {
    return this.causes.filter((cause): cause is StatusCause & { field: string } => cause.field !== undefined && cause.field !== '');
  }
}

/** 403: the caller lacks a right, or admission refuses (a quota, Pod security, a namespace that is going away). */
export class ForbiddenError extends ApiError {
  /** Stable identifier of this error: compare it, not the class. */
  override readonly code = 'KEELSON_API_FORBIDDEN';
  /** `admin` if a right is missing or a policy refuses; `nobody` while the namespace is being deleted. */
  override readonly actor: 'admin' | 'nobody';
  /** `undefined` when it is not a right that lacks. */
  readonly missingRight: MissingRight | undefined;
  /** Nothing can be created in this namespace any more: it is being deleted. */
  readonly isNamespaceTerminating: boolean;

  constructor(refusal: Refusal) {
    const right = missingRight(refusal.status.message ?? '', refusal.status.details?.name);
    super(refusal, right === undefined ? undefined : rightText(right));
    this.missingRight = right;
    this.isNamespaceTerminating = this.causes.some(({ reason }) => reason === 'NamespaceTerminating');
    this.actor = this.isNamespaceTerminating ? 'nobody' : 'admin';
  }
}

/** 401: the server does not know who is asking. Renewed credentials have been tried already. */
export class UnauthorizedError extends ApiError {
  /** Stable identifier of this error: compare it, not the class. */
  override readonly code = 'KEELSON_API_UNAUTHORIZED';
  /** The administrator renews the credentials. */
  override readonly actor = 'admin';
}

/** 410: the resourceVersion or the continue token is too old. List again. */
export class ExpiredError extends ApiError {
  /** Stable identifier of this error: compare it, not the class. */
  override readonly code = 'KEELSON_API_EXPIRED';
  /** The caller lists again; no person has to act. */
  override readonly actor = 'nobody';

  /** After an expired page: a token that goes on from there with newer objects; pages then do not show one moment. */
  get inconsistentContinue(): string | undefined {
    const token = this.status.metadata?.['continue'];
    return typeof token === 'string' && token !== '' ? token : undefined;
  }
}

/** 429: the server has too much to do, or a disruption budget allows no eviction now. */
export class TooManyRequestsError extends ApiError {
  /** Stable identifier of this error: compare it, not the class. */
  override readonly code = 'KEELSON_API_TOO_MANY_REQUESTS';
  /** The caller waits, for `retryAfterMs` if the server names a time; no person has to act. */
  override readonly actor = 'nobody';
}

/** 504, or 500 with the reason ServerTimeout: the server gave up. It may have acted. */
export class ServerTimeoutError extends ApiError {
  override readonly code = 'KEELSON_API_TIMEOUT';
  override readonly actor = 'nobody';
}

/** 502 or 503: no server answers this at the moment. */
export class ServiceUnavailableError extends ApiError {
  override readonly code = 'KEELSON_API_UNAVAILABLE';
  override readonly actor = 'nobody';
}

/** 400: the request makes no sense to the server. */
export class BadRequestError extends ApiError {
  override readonly code = 'KEELSON_API_BAD_REQUEST';
  override readonly actor = 'author';
}

/** 405: the resource has no such verb. */
export class MethodNotAllowedError extends ApiError {
  override readonly code = 'KEELSON_API_METHOD_NOT_ALLOWED';
  override readonly actor = 'author';
}

/** 415: the resource does not take this form, for example a strategic merge patch of a custom resource. */
export class UnsupportedMediaTypeError extends ApiError {
  override readonly code = 'KEELSON_API_UNSUPPORTED_MEDIA_TYPE';
  override readonly actor = 'author';
}

/** 413: the object is larger than the server takes; etcd holds 1.5 MiB by default. */
export class RequestTooLargeError extends ApiError {
  override readonly code = 'KEELSON_API_REQUEST_TOO_LARGE';
  override readonly actor = 'user';
}

/** 500: something failed inside the server, or a webhook of it could not be called. */
export class InternalError extends ApiError {
  override readonly code = 'KEELSON_API_INTERNAL';
  override readonly actor = 'nobody';
}

/** 500 on a server-side apply: the object has fields that the server's schema of its kind lacks, or of other types. */
export class ApplyUnfitError extends ApiError {
  override readonly code = 'KEELSON_API_APPLY_UNFIT';
  override readonly actor = 'author';

  constructor(refusal: Refusal) {
    super(refusal, 'correct these fields where the object is built, or install the CustomResourceDefinition that declares them');
  }
}

/** A refusal of another kind: a redirect, a webhook's own code. */
export class UnexpectedStatusError extends ApiError {
  override readonly code = 'KEELSON_API_UNEXPECTED_STATUS';
  override readonly actor = 'admin';
}

/** The client was asked for something that cannot become a request: no name, no namespace, another kind's object. */
export class RequestError extends OperatorError {
  override readonly code = 'KEELSON_CLIENT_REQUEST';
  override readonly actor = 'author';
}
