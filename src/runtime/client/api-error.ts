import { OperatorError } from '../../kubernetes/index.js';
import type { Status, StatusCause } from './status.js';

/** What is known of a refused request. */
export interface Refusal {
  /** For example `PATCH /apis/apps/v1/namespaces/a/deployments/b`. */
  readonly request: string;
  readonly status: Status;
  readonly httpStatus: number;
  /** What the server asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** How much of what the server says goes into a message, which may be logged again and again; `status` has all of it. */
const SHOWN_CHARACTERS = 8_192;

/** An API server quotes what it refuses, which of a Secret must not get into logs and conditions; `status` has all of it. */
function withoutContent(message: string, request: string): string {
  if (!/\/secrets(?:[/?]|$)/.test(request)) return message;
  return message.replace(/(\{Value:)[\s\S]*(?=\})/g, '$1[hidden]').replace(/(Invalid value: )"(?:[^"\\]|\\.)*"/g, '$1[hidden]');
}

/** The API server answered with a refusal. Subclasses say which; the guards (`isNotFound`…) tell them apart, `instanceof` only within one copy of the package. */
export abstract class ApiError extends OperatorError {
  readonly request: string;
  readonly httpStatus: number;
  /** The answer as it came; made up from the code where something other than the API server answered. */
  readonly status: Status;
  /** What the server asks to wait before the next attempt, in milliseconds; `undefined` when it asks nothing. */
  readonly retryAfterMs: number | undefined;

  constructor({ request, status, httpStatus, retryAfterMs }: Refusal, advice?: string) {
    const message = withoutContent(status.message ?? 'no message', request);
    const shown = message.length > SHOWN_CHARACTERS ? `${message.slice(0, SHOWN_CHARACTERS)}…` : message;
    const said = `${request}: ${httpStatus} ${status.reason ?? ''}: ${shown}`.replace(' : ', ': ');
    super(advice === undefined ? said : `${said}; ${advice}`);
    this.request = request;
    this.status = status;
    this.httpStatus = httpStatus;
    const seconds = status.details?.retryAfterSeconds;
    this.retryAfterMs = retryAfterMs ?? (seconds === undefined || seconds === 0 ? undefined : seconds * 1_000);
  }

  /** `metav1.StatusReason`, for example `NotFound`. */
  get reason(): string {
    return this.status.reason ?? '';
  }

  get causes(): readonly StatusCause[] {
    return this.status.details?.causes ?? [];
  }
}
