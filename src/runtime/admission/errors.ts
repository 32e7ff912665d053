import { isNativeError } from 'node:util/types';
import { OperatorError } from '../../kubernetes/index.js';

/** The webhook server cannot be made or started as asked. */
export class WebhookServerError extends OperatorError {
  readonly actor = 'admin';
  readonly code = 'KEELSON_WEBHOOK_SERVER';
}

/** A request gets no review as its answer but a status of HTTP. For an admission webhook its `failurePolicy` then decides: it is for handlers alone to deny. */
export class NoReview extends OperatorError {
  readonly actor = 'nobody';
  readonly code = 'KEELSON_NO_REVIEW';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }

  static is(error: unknown): error is NoReview {
    return OperatorError.isOperatorError(error) && error.code === 'KEELSON_NO_REVIEW';
  }
}

/** What an author's function threw, in words. Not by class: an error of another realm is one too. */
export function textOf(error: unknown): string {
  return isNativeError(error) ? `${error.name}: ${error.message}` : String(error);
}
