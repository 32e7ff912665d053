/** One refused field, as `Status.details.causes` tells it. */
export interface StatusCause {
  readonly reason?: string;
  readonly field?: string;
  readonly message?: string;
}

/** `metav1.Status`: what the API server answers instead of an object. */
export interface Status {
  readonly kind: 'Status';
  readonly status: 'Success' | 'Failure';
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly name?: string; readonly kind?: string; readonly causes?: readonly StatusCause[] };
}

export function isStatus(body: unknown): body is Status {
  return typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'Status';
}

/** The API server refused what a test wanted done. */
export class RequestRefused extends Error {
  readonly code: number;
  readonly body: unknown;

  constructor(what: string, code: number, body: unknown) {
    super(`${what}: ${code} ${isStatus(body) ? body.message : JSON.stringify(body)}`);
    this.name = 'RequestRefused';
    this.code = code;
    this.body = body;
  }
}
