/**
 * A failure that an Event explains to the user, such as a refused Pod. Its key is tried again. The server does not report it as a problem.
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
