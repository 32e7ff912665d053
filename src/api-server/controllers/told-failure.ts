/**
 * A failure that an Event tells to the user, as a refused Pod is: its key is tried again, and it is not reported as a problem of the server.
 */
export class ToldFailure extends Error {
  readonly isToldFailure = true;

  constructor(cause: Error, message: string = cause.message) {
    super(message, { cause });
  }

  static isToldFailure(value: unknown): value is ToldFailure {
    return typeof value === 'object' && value !== null && 'isToldFailure' in value;
  }
}
