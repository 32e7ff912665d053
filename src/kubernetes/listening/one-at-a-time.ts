import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Turns } from './turns.js';

/** The answer that each connection owes; of two, the one to the later request. */
const owed = new WeakMap<object, ServerResponse>();

/** Connections that pipelined requests have ended. */
const ended = new WeakSet<object>();

/** Shared by all servers of the process, as the event loop is. */
const turns = new Turns();

/**
 * A request that ends its connection if it comes before the answer to the one before has been given (pipelining, which no API server, kubelet or Prometheus does).
 *
 * Node's parser makes a request of everything in the 64 KiB that it reads at once, more than two thousand, before any of them can be refused. It stops at a request
 * that asks for another protocol: a pipelined one says that it does.
 */
export class SerialMessage extends IncomingMessage {
  // Node sets it before this class has its fields, and again with what the head says.
  declare private asksForUpgrade: boolean | null;
  readonly #isPipelined: boolean;

  constructor(socket: Socket) {
    super(socket);
    const answer = owed.get(socket);
    this.#isPipelined = answer !== undefined && isIncomplete(answer);
    if (!this.#isPipelined) return;
    ended.add(socket);
    socket.destroy();
  }

  get upgrade(): boolean | null {
    return (#isPipelined in this && this.#isPipelined) || this.asksForUpgrade;
  }

  set upgrade(value: boolean | null) {
    this.asksForUpgrade = value;
  }
}

/**
 * Lets `start` handle a request in a later turn of the event loop, once the answer before it on the connection is out. For servers whose requests are
 * {@link SerialMessage}s.
 *
 * Guarantees: no request that was read together with another one is handled; a connection has one request that is handled, and one at most that waits for the last bytes
 * of the answer before it to be written; requests of many connections begin in turns that are short, so that timers and other work go on.
 */
export function inTurn(socket: Socket, response: ServerResponse, start: () => void): void {
  const before = owed.get(socket);
  owed.set(socket, response);
  response.once('close', () => {
    if (owed.get(socket) === response) owed.delete(socket);
  });
  const startLater = (): void =>
    turns.add(() => {
      if (!ended.has(socket) && !response.closed) start();
    });
  if (before === undefined) {
    startLater();
    return;
  }
  const written = socket.bytesWritten;
  before.once('close', () => {
    // Bytes that were given later belong to an answer that the client did not wait for.
    if (socket.bytesWritten > written) socket.destroy();
    else if (!socket.destroyed) startLater();
  });
  // The last bytes of an answer can be with the client before Node says that they are written: under TLS it says so a turn later. Bytes that wait longer are unread.
  setImmediate(() => {
    if (!before.closed && socket.writableLength > 0) socket.destroy();
  });
}

/** The client cannot have the whole answer yet. A body of a declared length may be complete before the server ends it. */
function isIncomplete(answer: ServerResponse): boolean {
  return !answer.headersSent || (answer.chunkedEncoding && !answer.writableEnded);
}
