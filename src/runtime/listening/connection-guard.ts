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

interface Entry {
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
  /** By address, each in the order in which they became unused. */
  readonly #unused = new Map<string, Set<Socket>>();
  readonly #entries = new Map<Socket, Entry>();

  constructor({ most = 1_024 }: ConnectionGuardOptions = {}) {
    this.#most = most;
  }

  watch(server: Server | SecureServer): void {
    // Under TLS requests come on another socket than the one that was accepted: it is counted once, by the port of its client.
    const accepted = new Map<string, Socket>();
    server.on('connection', (socket: Socket) => {
      const name = nameOf(socket);
      accepted.set(name, socket);
      socket.once('close', () => {
        if (accepted.get(name) === socket) accepted.delete(name);
        this.#forget(socket);
      });
      this.#accept(socket);
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const socket = accepted.get(nameOf(request.socket));
      const entry = socket === undefined ? undefined : this.#entries.get(socket);
      if (socket === undefined || entry === undefined) return;
      entry.busy += 1;
      this.#remove(entry.source, socket);
      response.once('close', () => {
        entry.busy -= 1;
        if (entry.busy === 0 && this.#entries.has(socket)) this.#add(entry.source, socket);
      });
    });
  }

  #accept(socket: Socket): void {
    const source = socket.remoteAddress ?? '';
    // The oldest is looked for before: the new one must not be chosen.
    if (this.#entries.size >= this.#most) this.#victim()?.destroy();
    this.#entries.set(socket, { source, busy: 0 });
    this.#add(source, socket);
  }

  #victim(): Socket | undefined {
    let most: Set<Socket> | undefined;
    for (const sockets of this.#unused.values()) if (sockets.size > (most?.size ?? 0)) most = sockets;
    const [oldest] = most ?? this.#entries.keys();
    if (oldest !== undefined) this.#forget(oldest);
    return oldest;
  }

  #forget(socket: Socket): void {
    const entry = this.#entries.get(socket);
    if (entry === undefined) return;
    this.#entries.delete(socket);
    this.#remove(entry.source, socket);
  }

  #add(source: string, socket: Socket): void {
    const sockets = this.#unused.get(source) ?? new Set<Socket>();
    this.#unused.set(source, sockets.add(socket));
  }

  #remove(source: string, socket: Socket): void {
    const sockets = this.#unused.get(source);
    sockets?.delete(socket);
    if (sockets?.size === 0) this.#unused.delete(source);
  }
}

function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
