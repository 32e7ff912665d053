import { goQuote } from '@keelson/kubernetes/apimachinery';
import type { Status } from '../../status/index.js';
import { WebhookCallError } from './call-error.js';

export interface HttpAnswer {
  readonly code: number;
  readonly contentType: string | undefined;
  /** `''`: it has none. */
  readonly location: string;
  readonly body: string;
}

/** More of a body is not shown. Source: client-go `rest/request.go`, maxUnstructuredResponseTextBytes. */
const SHOWN_CHARACTERS = 2048;

const TEXTS: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  400: ['BadRequest', 'the server rejected our request for an unknown reason'],
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  409: ['AlreadyExists', 'the server reported a conflict'],
  422: ['Invalid', 'the server rejected our request due to an error in our request'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: ['Timeout', 'the server was unable to return a response in the time allotted, but may still be processing the request'],
};

/** The error that client-go makes of an answer without success. Source: apimachinery `NewGenericServerResponse`. */
export function refusalOf(answer: HttpAnswer): WebhookCallError {
  const structured = statusOf(answer);
  if (structured !== undefined) return new WebhookCallError(structured.message ?? '', structured);
  const isText = answer.contentType === undefined || answer.contentType.startsWith('text/');
  const said = isText ? answer.body.slice(0, SHOWN_CHARACTERS).trim() : 'unknown';
  const [reason, message] = TEXTS[answer.code] ?? [reasonOf(answer.code), messageOf(answer.code, said)];
  return new WebhookCallError(message, { status: 'Failure', code: answer.code, reason, message });
}

function reasonOf(code: number): string {
  if (code === 403) return 'Forbidden';
  if (code === 406) return 'NotAcceptable';
  if (code === 415) return 'UnsupportedMediaType';
  return code >= 500 ? 'InternalError' : '';
}

function messageOf(code: number, said: string): string {
  if (code === 403 || code === 415) return said;
  if (code === 406) {
    return said === '' || said === 'unknown' ? 'the server was unable to respond with a content type that the client supports' : said;
  }
  if (code >= 500) return `an error on the server (${goQuote(said)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${code} but did not return more information`;
}

/** A webhook that answers with a Status of its own is taken at its word. */
function statusOf({ contentType = '', body }: HttpAnswer): Status | undefined {
  if (!contentType.startsWith('application/json')) return undefined;
  const parsed = jsonOf(body) as Partial<Status> & { readonly kind?: unknown };
  if (typeof parsed !== 'object' || parsed === null || parsed.kind !== 'Status' || parsed.status === 'Success') return undefined;
  return { status: 'Failure', code: Number(parsed.code ?? 0), message: String(parsed.message ?? ''), reason: String(parsed.reason ?? '') };
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not JSON whatever its header says: the text is shown as it is.
    return undefined;
  }
}
