import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ApiServer, CarriedHead } from '@keelson/api-server';
import {
  ConnectionError,
  DeadlineExceededError,
  type RequestAttempt,
  Transport,
  type TransportOptions,
} from '@keelson/runtime/internal/http';

/** A request before it leaves its process. */
export interface LeavingRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer | undefined;
}

/** A complete answer of the server. */
export interface WholeAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** The chunks of a watch on their way to the process. */
export interface ChunkGate {
  /** @param deliver hands chunks on, at once or later */
  open(deliver: (chunk: Buffer) => void): void;
  push(chunk: Buffer): void;
  close(): void;
}

export type Passage =
  /** The server is not asked: this is the answer. */
  | { readonly do: 'answer'; readonly answer: WholeAnswer }
  /** The server is asked for this path instead. */
  | { readonly do: 'carry'; readonly path: string }
  /** The answer is a stream that passes a gate. */
  | { readonly do: 'gate'; readonly gate: ChunkGate };

/** Stands between a process and its API server. */
export interface Carriage {
  /** `undefined`: the request leaves as it is. */
  leaving(request: LeavingRequest): Passage | undefined;
  /** Called with each complete answer but that of a watch. @returns whether the process gets it; else its connection breaks */
  answered(request: LeavingRequest, answer: WholeAnswer): boolean;
}

/** All that a transport does, but for the socket: requests are carried to a server in this process. */
export class CarriedTransport extends Transport {
  readonly #server: ApiServer;
  readonly #carriage: Carriage | undefined;
  /** Counts idle kept-alive connections: a request over one of them is tried again (H67). */
  #free = 0;

  constructor(options: TransportOptions, server: ApiServer, carriage?: Carriage) {
    super(options);
    this.#server = server;
    this.#carriage = carriage;
  }

  protected override send(attempt: RequestAttempt): Promise<IncomingMessage> {
    const { request, scope, clock, deadlines, method, path, headers, body } = attempt;
    return new Promise((resolve, reject) => {
      attempt.beforeSend();
      if (scope.ended !== undefined) return reject(scope.ended);
      const reusedSocket = this.#free > 0;
      if (reusedSocket) this.#free -= 1;
      let isOver = false;
      const settle = (): void => {
        isOver = true;
        stopTimer();
        stopListening();
      };
      const fail = (error: Error): void => {
        settle();
        reject(error);
      };
      const connection = this.#begin(
        { method, path, headers: { host: attempt.server.host, ...headers }, body: typeof body === 'string' ? Buffer.from(body) : body },
        {
          isOver: () => isOver,
          begun: (head) => {
            settle();
            const answer = new CarriedAnswer(head, () => connection.abandon());
            resolve(answer as unknown as IncomingMessage);
            return answer;
          },
          broken: () => fail(new ConnectionError(request, { sent: true, reusedSocket, cause: new Error('socket hang up') })),
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

  /** Sends a request in one of the ways in which the carriage lets it pass. */
  #begin(request: LeavingRequest, exchange: Exchange): Connected {
    const carriage = this.#carriage;
    const passage = carriage?.leaving(request);
    const path = passage?.do === 'carry' ? passage.path : request.path;
    const free = (): void => void this.#free++;
    const whole = (head: CarriedHead, chunks: readonly Buffer[]): void => {
      free();
      if (exchange.isOver()) return;
      const answer = { status: head.statusCode, body: Buffer.concat(chunks) };
      const arrives = carriage?.answered(request, answer) ?? true;
      // The process may have died of it.
      if (exchange.isOver()) return;
      if (arrives) handedOver(exchange.begun(head), answer.body);
      else exchange.broken();
    };
    if (passage?.do === 'answer') return answeredHere(passage.answer, whole);
    const isStream = carriage === undefined || isWatch(path);
    const gate = passage?.do === 'gate' ? passage.gate : undefined;
    const connection: Connected = this.#server.carry(
      { ...request, path },
      isStream ? streamed(gate, exchange, free) : collected(whole, exchange),
    );
    return connection;
  }
}

interface Connected {
  readonly abandon: () => void;
}

/** The process's side of a request. */
interface Exchange {
  /** The process has its answer, or waits for none. */
  readonly isOver: () => boolean;
  readonly begun: (head: CarriedHead) => CarriedAnswer;
  readonly broken: () => void;
}

function handedOver(answer: CarriedAnswer, body: Buffer): void {
  answer.push(body);
  answer.finish();
}

export function isWatch(path: string): boolean {
  return /[?&]watch=(1|true)(&|$)/.test(path);
}

type Receiver = Parameters<ApiServer['carry']>[1];

/** Hands on what comes as it comes, or as the gate lets it. The gate is for events: a refusal, such as the 404 of a kind that is gone, passes as it is. */
function streamed(gate: ChunkGate | undefined, { begun, broken }: Exchange, free: () => void): Receiver {
  let answer: CarriedAnswer | undefined;
  let isRefused = false;
  const end = (): void => {
    free();
    gate?.close();
    answer?.finish();
  };
  const push = (chunk: Buffer): void => void answer?.push(chunk);
  return {
    head: (head) => {
      answer = begun(head);
      isRefused = head.statusCode !== 200;
      gate?.open(push);
    },
    data: (chunk) => (gate === undefined || isRefused ? push(chunk) : gate.push(chunk)),
    end,
    cut: () => {
      gate?.close();
      if (answer === undefined) broken();
      else answer.destroy(new Error('aborted'));
    },
  };
}

function collected(whole: (head: CarriedHead, chunks: readonly Buffer[]) => void, { isOver, broken }: Exchange): Receiver {
  const chunks: Buffer[] = [];
  let begun: CarriedHead | undefined;
  return {
    head: (head) => {
      begun = head;
    },
    data: (chunk) => void chunks.push(chunk),
    end: () => {
      if (begun !== undefined) whole(begun, chunks);
    },
    cut: () => {
      if (!isOver()) broken();
    },
  };
}

/** In a later turn of the event loop, as every answer. */
function answeredHere({ status, body }: WholeAnswer, whole: (head: CarriedHead, chunks: readonly Buffer[]) => void): { abandon(): void } {
  const headers = { 'content-type': 'application/json', ...(status === 429 ? { 'retry-after': '1' } : {}) };
  const rawHeaders = Object.entries(headers).flat();
  const timer = setImmediate(() => whole({ statusCode: status, headers, rawHeaders }, [body]));
  return { abandon: () => clearImmediate(timer) };
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
    if (this.complete || this.destroyed) return;
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
