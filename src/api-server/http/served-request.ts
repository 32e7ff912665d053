import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestUser } from '../contract/index.js';
import type { Fault } from './faults.js';
import { acceptsGzip, decodedPath, headerOf, splitUrl } from './incoming.js';
import type { HttpParts } from './parts.js';
import { queryOf } from './query.js';
import { Reply } from './reply.js';
import { pathInfo, type RequestInfo } from './request-info.js';
import { RequestJournal } from './request-journal.js';
import type { Upgrade } from './upgrade.js';

/** The two ends of one HTTP exchange, as Node gives them. */
export interface RequestSides {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** See {@link RequestRecord}. */
  readonly number: number;
  readonly upgrade?: Upgrade;
}

/** A request whose head has been read. Each stage returns a value that knows more: {@link DescribedRequest}, {@link ServedRequest}. */
export interface ReceivedRequest {
  readonly message: IncomingMessage;
  /** Present if the request asks for another protocol, and its connection can have one. */
  readonly upgrade: Upgrade | undefined;
  readonly method: string;
  /** Percent escapes resolved; undefined: an escape is broken. */
  readonly path: string | undefined;
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly reply: Reply;
  readonly journal: RequestJournal;
  /** Aborts when the client has gone or the time limit is over. */
  readonly aborter: AbortController;
  /** Reports an error that is a bug of the server. */
  readonly report: (error: unknown) => void;
}

/** A request that is known by resource and verb. */
export interface DescribedRequest extends ReceivedRequest {
  readonly info: RequestInfo;
}

/** A request that is authorized and may be handled. */
export interface ServedRequest extends DescribedRequest {
  readonly user: RequestUser;
  /** A fault that takes effect when the request is answered, or on its watch. */
  readonly fault: Fault | undefined;
}

export function receivedRequest({ message, response, number, upgrade }: RequestSides, parts: HttpParts): ReceivedRequest {
  const method = message.method ?? 'GET';
  const url = message.url ?? '/';
  const [path = '', search = ''] = splitUrl(url);
  const reply = new Reply(response, {
    auditId: headerOf(message, 'audit-id') || randomUUID(),
    acceptsGzip: acceptsGzip(message),
    isHead: message.method === 'HEAD',
  });
  const report = (error: unknown): void => parts.reportBug(error, { method, url: message.url ?? '' });
  const { observer } = parts;
  const info = pathInfo(method, '');
  const journal = new RequestJournal({ number, message, reply, info, startedAt: parts.now(), observer, report });
  const aborter = new AbortController();
  reply.onHead = () => journal.tell('answering');
  // Without a listener, an error of the connection would end the process; `close` follows it.
  response.on('error', () => undefined);
  response.once('close', () => {
    // After a whole answer no code waits for the signal, and an abort makes an error with its stack, which costs as much as reading a head.
    if (!response.writableFinished) aborter.abort();
    journal.tell('finished');
  });
  return {
    message,
    upgrade,
    method,
    path: decodedPath(path),
    query: queryOf(search),
    accept: headerOf(message, 'accept'),
    reply,
    journal,
    aborter,
    report,
  };
}

/** Breaks the connection. */
export function cut({ message }: ReceivedRequest): void {
  message.socket.destroy();
}
