/**
 * A failure that an Event explains to the user, such as a refused Pod. Its key is tried again. The server does not report it as a problem.
 */
export class RecordedFailure extends Error {
  readonly isRecordedFailure = true;

  constructor(cause: Error, message: string = cause.message) {
    super(message, { cause });
  }

  static isRecordedFailure(value: unknown): value is RecordedFailure {
    return typeof value === 'object' && value !== null && 'isRecordedFailure' in value;
  }
}
