import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { TlsMaterial } from './access.js';

/** The connections of one transport under one set of certificates. */
export interface Agents {
  /** Kept-alive connections, shared by requests. */
  readonly shared: HttpAgent;
  /** A connection of its own for each stream: a watch must not hold back requests, nor end with another's connection. */
  readonly single: HttpAgent;
  readonly tls: TlsMaterial;
}

/**
 * Below the 90 s after which the API server closes an idle connection: the side that closes first decides whether a request can be lost on it (H67).
 * Source: apiserver `pkg/server/secure_serving.go`, `IdleTimeout`.
 */
const FREE_SOCKET_MS = 60_000;
/** Finds a peer that vanished without a word while nothing is sent. */
const KEEP_ALIVE_PROBE_MS = 15_000;

export function openAgents(protocol: string, tls: TlsMaterial, maxSockets: number): Agents {
  const kept = { keepAlive: true, keepAliveMsecs: KEEP_ALIVE_PROBE_MS, maxSockets, timeout: FREE_SOCKET_MS, scheduling: 'lifo' } as const;
  const single = { keepAlive: false, maxSockets: Number.POSITIVE_INFINITY } as const;
  if (protocol !== 'https:') return { shared: new HttpAgent(kept), single: new HttpAgent(single), tls };
  return { shared: new OneServerAgent({ ...kept, ...tls }), single: new OneServerAgent({ ...single, ...tls }), tls };
}

/**
 * All its connections are to one server under one set of certificates: one name serves all. Node would join the address and every certificate to a name
 * of some kilobytes, several times for each request, and read all certificates anew for each connection.
 */
class OneServerAgent extends HttpsAgent {
  #context: SecureContext | undefined;

  override getName(): string {
    return 'server';
  }

  override createConnection(options: RequestOptions, callback?: (error: Error | null, stream: Duplex) => void): Duplex | null | undefined {
    this.#context ??= createSecureContext(options);
    return super.createConnection({ ...options, secureContext: this.#context } as RequestOptions, callback);
  }
}

/** Takes agents out of use: idle connections are closed at once, busy ones when their answer is complete. */
export function retireAgents({ shared }: Agents): void {
  shared.maxFreeSockets = 0;
  for (const sockets of Object.values(shared.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

export function destroyAgents({ shared, single }: Agents): void {
  shared.destroy();
  single.destroy();
}
