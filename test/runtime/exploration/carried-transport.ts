import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ApiServer } from 'keelson/testing';
import type { CarriedHead } from '../../../src/api-server/http/index.js';
import {
  ConnectionError,
  DeadlineExceededError,
  type RequestAttempt,
  Transport,
  type TransportOptions,
} from '../../../src/runtime/http/index.js';

/** All that a transport does, but for the socket: requests are carried to a server in this process. */
export class CarriedTransport extends Transport {
  readonly #server: ApiServer;
  /** Of kept-alive connections: whether a request goes over one of them decides what is tried again (H67). */
  #free = 0;

  constructor(options: TransportOptions, server: ApiServer) {
    super(options);
    this.#server = server;
  }

  protected override send(attempt: RequestAttempt): Promise<IncomingMessage> {
    const { request, scope, clock, deadlines, method, path, headers, body } = attempt;
    return new Promise((resolve, reject) => {
      attempt.beforeSend();
      if (scope.ended !== undefined) return reject(scope.ended);
      const reusedSocket = this.#free > 0;
      if (reusedSocket) this.#free -= 1;
      let answer: CarriedAnswer | undefined;
      const settle = (): void => {
        stopTimer();
        stopListening();
      };
      const fail = (error: Error): void => {
        settle();
        reject(error);
      };
      const connection = this.#server.carry(
        { method, path, headers: { host: attempt.server.host, ...headers }, body },
        {
          head: (head) => {
            settle();
            answer = new CarriedAnswer(head, () => connection.abandon());
            resolve(answer as unknown as IncomingMessage);
          },
          data: (chunk) => answer?.push(chunk),
          end: () => {
            this.#free += 1;
            answer?.finish();
          },
          cut: () => {
            if (answer === undefined) fail(new ConnectionError(request, { sent: true, reusedSocket, cause: new Error('socket hang up') }));
            else answer.destroy(new Error('aborted'));
          },
        },
      );
      const breakOff = (reason: Error): void => {
        connection.abandon();
        fail(reason);
      };
      const stopTimer = clock.schedule(deadlines.headersMs, () =>
        breakOff(new DeadlineExceededError(request, 'headers', deadlines.headersMs)),
      );
      const stopListening = scope.onEnd(breakOff);
    });
  }
}

/** As much of a message as a transport reads of it. */
class CarriedAnswer extends Readable {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: string[];
  complete = false;
  readonly #abandon: () => void;

  constructor({ statusCode, headers, rawHeaders }: CarriedHead, abandon: () => void) {
    super();
    this.statusCode = statusCode;
    this.headers = headers;
    this.rawHeaders = rawHeaders;
    this.#abandon = abandon;
  }

  finish(): void {
    this.complete = true;
    this.push(null);
  }

  override _read(): void {
    // It comes by itself.
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (!this.complete) this.#abandon();
    callback(error);
  }
}
