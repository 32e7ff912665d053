import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

export interface ConnectionGuardOptions {
  /**
   * Connections that are open at once; for each more an unused one is closed. @defaultValue 1_024 — twice what the kernel keeps waiting to be accepted, so that a
   * connection which asks at once is heard before others can push it out
   */
  readonly most?: number | undefined;
}

interface Connection {
  readonly socket: Socket;
  /** Address of the client. */
  readonly source: string;
  /** Requests that are not answered yet. */
  busy: number;
}

/**
 * Bounds the connections of a server by closing unused ones, never by refusing new ones: a probe is always a new one.
 *
 * Flow: a connection beyond the bound closes another → from the address that has most of them → the one that has been unused for longest.
 * Guarantees: a request under way is not broken off, unless every connection has one. Connections that never asked anything, have sent half a head, or wait
 * between two requests are unused.
 */
export class ConnectionGuard {
  readonly #most: number;
  /** In the order in which they came. */
  readonly #open = new Set<Connection>();
  /** By address, each in the order in which they became unused. */
  readonly #unused = new Map<string, Set<Connection>>();

  constructor({ most = 1_024 }: ConnectionGuardOptions = {}) {
    this.#most = most;
  }

  watch(server: Server | SecureServer): void {
    // Under TLS requests come on another socket than the one that was accepted: it is counted once, by the port of its client.
    const accepted = new Map<string, Connection>();
    server.on('connection', (socket: Socket) => {
      const name = nameOf(socket);
      const connection = this.#accept(socket);
      accepted.set(name, connection);
      socket.once('close', () => {
        if (accepted.get(name) === connection) accepted.delete(name);
        this.#forget(connection);
      });
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const connection = accepted.get(nameOf(request.socket));
      if (connection === undefined) return;
      connection.busy += 1;
      this.#remove(connection);
      response.once('close', () => {
        connection.busy -= 1;
        if (connection.busy === 0 && this.#open.has(connection)) this.#add(connection);
      });
    });
  }

  #accept(socket: Socket): Connection {
    const connection = { socket, source: socket.remoteAddress ?? '', busy: 0 };
    // The oldest is looked for before: the new one must not be chosen.
    if (this.#open.size >= this.#most) this.#closeOne();
    this.#open.add(connection);
    this.#add(connection);
    return connection;
  }

  #closeOne(): void {
    let most: ReadonlySet<Connection> = new Set();
    for (const connections of this.#unused.values()) if (connections.size > most.size) most = connections;
    const [oldest] = most.size === 0 ? this.#open : most;
    if (oldest === undefined) return;
    // The close comes later, and the next connection must not choose it again.
    this.#forget(oldest);
    oldest.socket.destroy();
  }

  #forget(connection: Connection): void {
    this.#open.delete(connection);
    this.#remove(connection);
  }

  #add(connection: Connection): void {
    const connections = this.#unused.get(connection.source) ?? new Set<Connection>();
    this.#unused.set(connection.source, connections.add(connection));
  }

  #remove(connection: Connection): void {
    const connections = this.#unused.get(connection.source);
    connections?.delete(connection);
    if (connections?.size === 0) this.#unused.delete(connection.source);
  }
}

function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
