import { errorOf, OperatorError } from '@keelson/kubernetes/apimachinery';

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

/** An answer is read by people. */
const LONGEST = 2_000;

/** The value that an author's function threw, in words. */
export function textOf(thrown: unknown): string {
  const { name, message } = errorOf(thrown);
  const text = `${name}: ${message}`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
