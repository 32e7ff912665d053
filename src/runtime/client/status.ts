/** One refused field, or one other detail of a refusal (`metav1.StatusCause`). */
export interface StatusCause {
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** Path of the field, for example `spec.template.spec.containers[0].image`. */
  readonly field?: string | undefined;
}

/** What the API server answers where it does not answer with an object (`metav1.Status`). */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly status?: string | undefined;
  readonly code?: number | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly details?:
    | {
        readonly name?: string | undefined;
        readonly group?: string | undefined;
        /** Mostly a resource (`deployments`), in spite of its name. */
        readonly kind?: string | undefined;
        readonly uid?: string | undefined;
        readonly causes?: readonly StatusCause[] | null | undefined;
        readonly retryAfterSeconds?: number | undefined;
      }
    | null
    | undefined;
}

export function isStatus(body: unknown): body is Status {
  return typeof body === 'object' && body !== null && (body as { kind?: unknown }).kind === 'Status';
}
