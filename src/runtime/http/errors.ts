import { isNativeError } from 'node:util/types';
import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** No connection, or one that broke. The transport has already tried again where that was safe. */
export class ConnectionError extends OperatorError {
  override readonly actor = 'nobody';
  override readonly code = 'KEELSON_CONNECTION_FAILED';
  /** False: the request has not left this process, so the server cannot have acted on it. */
  readonly sent: boolean;
  /** True: the request went out on a kept-alive connection, which the server may have closed just then. */
  readonly reusedSocket: boolean;

  constructor(request: string, facts: { readonly sent: boolean; readonly reusedSocket: boolean; readonly cause: unknown }) {
    const what = facts.sent ? 'the connection broke before the whole answer was here' : 'no connection';
    super(`${request}: ${what}: ${textOf(facts.cause)}`, { cause: facts.cause });
    this.sent = facts.sent;
    this.reusedSocket = facts.reusedSocket;
  }
}

/** The server's certificate is not trusted, or the server does not accept ours. Trying again does not help. */
export class CertificateRefusedError extends OperatorError {
  override readonly actor = 'admin';
  override readonly code = 'KEELSON_CERTIFICATE_REFUSED';

  constructor(request: string, origin: string, cause: unknown) {
    super(`${request}: TLS failed: ${textOf(cause)}; check the certificate authority and the server name in ${origin}`, { cause });
  }
}

/** The stage that was being waited for when time ran out. */
export type DeadlinePhase = 'connect' | 'headers' | 'body' | 'answer' | 'total';

/** The server did not answer in time. It may have acted on the request all the same, unless `phase` is `connect`. */
export class DeadlineExceededError extends OperatorError {
  override readonly actor = 'nobody';
  override readonly code = 'KEELSON_DEADLINE_EXCEEDED';
  readonly phase: DeadlinePhase;
  readonly afterMs: number;

  constructor(request: string, phase: DeadlinePhase, afterMs: number) {
    super(`${request}: ${PHASES[phase]} within ${afterMs} ms`);
    this.phase = phase;
    this.afterMs = afterMs;
  }
}

const PHASES: Readonly<Record<DeadlinePhase, string>> = {
  connect: 'no connection',
  headers: 'connected, but no answer began',
  body: 'the answer began, then nothing came',
  answer: 'the answer began, but did not end',
  total: 'not done, attempts and pauses included,',
};

/** The caller's AbortSignal ended the request; `cause` is the signal's reason. The server may have acted on it. */
export class RequestCancelledError extends OperatorError {
  override readonly actor = 'nobody';
  override readonly code = 'KEELSON_REQUEST_CANCELLED';

  constructor(request: string, reason: unknown) {
    super(`${request}: cancelled: ${textOf(reason)}`, { cause: reason });
  }
}

/** The answer is larger than this process is willing to hold. */
export class ResponseTooLargeError extends OperatorError {
  override readonly actor = 'author';
  override readonly code = 'KEELSON_RESPONSE_TOO_LARGE';
  readonly limitBytes: number;

  constructor(request: string, limitBytes: number) {
    super(
      `${request}: the answer has more than ${limitBytes} bytes; list in smaller pages, or raise the limit (maxResponseBytes, maxFrameBytes)`,
    );
    this.limitBytes = limitBytes;
  }
}

/** No Kubernetes API server gives such an answer: a proxy or something else stands at this address. */
export class MalformedResponseError extends OperatorError {
  override readonly actor = 'admin';
  override readonly code = 'KEELSON_RESPONSE_MALFORMED';

  constructor(request: string, found: string, options?: ErrorOptions) {
    super(`${request}: ${found}`, options);
  }
}

/** It is not known where the API server is or how to be let in: a kubeconfig or the service account's files lack something. */
export class ConnectionSettingsError extends OperatorError {
  override readonly actor = 'admin';
  override readonly code = 'KEELSON_CONNECTION_SETTINGS';
}

/** The settings are right, but what they name gave no token or certificate: a file that cannot be read, a plugin that failed. */
export class CredentialsError extends OperatorError {
  override readonly actor = 'admin';
  override readonly code = 'KEELSON_CREDENTIALS_UNAVAILABLE';
}

/** A request after `close()`. */
export class ClientClosedError extends OperatorError {
  override readonly actor = 'author';
  override readonly code = 'KEELSON_CLIENT_CLOSED';

  constructor(request: string) {
    super(`${request}: the client is closed; make requests before close()`);
  }
}

/** Errors that Node makes of refused connections often have an empty message and say all in `code`, or in a list when a name has several addresses. */
export function textOf(cause: unknown): string {
  // Not by class: an error of another realm, as tests and worker threads have them, is one too.
  if (!isNativeError(cause)) return String(cause);
  const { errors } = cause as Partial<AggregateError>;
  if (Array.isArray(errors) && errors.length > 0) return errors.map(textOf).join('; ');
  const { code } = cause as NodeJS.ErrnoException;
  if (cause.message === '') return code ?? cause.name;
  return code === undefined || cause.message.includes(code) ? cause.message : `${cause.message} (${code})`;
}
