import { OperatorError } from '@keelson/kubernetes/apimachinery';
import type { Status, StatusCause } from './status.js';

/** The details of a refused request. */
export interface Refusal {
  /** For example `PATCH /apis/apps/v1/namespaces/a/deployments/b`. */
  readonly request: string;
  /** The body of the answer. */
  readonly status: Status;
  /** The HTTP status code, for example 409. */
  readonly httpStatus: number;
  /** The pause that the server asks for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** How much of what the server says goes into a message, which may be logged again and again; `status` has all of it. */
const SHOWN_CHARACTERS = 8_192;

/** An API server quotes what it refuses, which of a Secret must not get into logs and conditions; `status` has all of it. */
function withoutContent(message: string, request: string): string {
  if (!/\/secrets(?:[/?]|$)/.test(request)) return message;
  return message.replace(/(\{Value:)[\s\S]*(?=\})/g, '$1[hidden]').replace(/(Invalid value: )"(?:[^"\\]|\\.)*"/g, '$1[hidden]');
}

/** The API server refused the request. Subclasses say why; use the guards (`isNotFound`…), since `instanceof` holds only within one copy of the package. */
export abstract class ApiError extends OperatorError {
  /** Method and path, for example `PATCH /apis/apps/v1/namespaces/a/deployments/b`. */
  readonly request: string;
  /** The HTTP status code, for example 409. */
  readonly httpStatus: number;
  /** The answer as it came; made up from the code where something other than the API server answered. */
  readonly status: Status;
  /** The pause that the server asks for before the next attempt, in milliseconds; `undefined` if it asks for none. */
  readonly retryAfterMs: number | undefined;

  constructor({ request, status, httpStatus, retryAfterMs }: Refusal, advice?: string) {
    const message = withoutContent(status.message ?? 'no message', request);
    const shown = message.length > SHOWN_CHARACTERS ? `${message.slice(0, SHOWN_CHARACTERS)}…` : message;
    const refused = `${httpStatus} ${status.reason ?? ''}`.trimEnd();
    const said = `${request}: ${refused}: ${shown}`;
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

  /** The details of the refusal, in the order of the server; empty if it gives none. */
  get causes(): readonly StatusCause[] {
    return this.status.details?.causes ?? [];
  }
}
