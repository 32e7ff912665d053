/** One refused field or other cause, as `Status.details.causes` has it. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** The plural of the resource, but of an Invalid the kind. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** `metav1.Status` without `kind` and `apiVersion`, which {@link statusBody} adds: what the API server answers instead of an object. */
export interface Status {
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  /** `undefined` if the server has no class for the error (it answers 500 for a plain Go error). */
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
  /** Only the answer has the code, not the body: so it is with deletions. */
  readonly isCodeless?: true;
  /** Only of a list whose continue token has expired. */
  readonly continue?: string;
}

/** The body of an answer, its fields in the order of the Go type. */
export function statusBody({ status, message, reason, details, code, isCodeless, continue: token }: Status): Record<string, unknown> {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: token === undefined ? {} : { continue: token },
    status,
    ...(message === undefined || message === '' ? {} : { message }),
    ...(reason === undefined || reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details: ordered(details) }),
    ...(isCodeless === true ? {} : { code }),
  };
}

function ordered({ name, group, kind, uid, causes, retryAfterSeconds }: StatusDetails): Record<string, unknown> {
  return {
    ...(name ? { name } : {}),
    ...(group ? { group } : {}),
    ...(kind ? { kind } : {}),
    ...(uid ? { uid } : {}),
    ...(causes?.length ? { causes: causes.map(orderedCause) } : {}),
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  };
}

/** A webhook may have written it in another order. */
function orderedCause({ reason, message, field }: StatusCause): StatusCause {
  return { ...(reason ? { reason } : {}), ...(message ? { message } : {}), ...(field ? { field } : {}) };
}
