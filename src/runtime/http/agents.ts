import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect, createSecureContext, type SecureContext } from 'node:tls';
import type { TlsMaterial } from './access.js';
import { openTunnel } from './tunnel.js';

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

export interface AgentsOptions {
  readonly protocol: string;
  readonly tls: TlsMaterial;
  /** The most connections that requests share. */
  readonly maxSockets: number;
  /** Address of the proxy. @defaultValue none */
  readonly proxy?: string | undefined;
}

export function openAgents({ protocol, tls, maxSockets, proxy }: AgentsOptions): Agents {
  const kept = { keepAlive: true, keepAliveMsecs: KEEP_ALIVE_PROBE_MS, maxSockets, timeout: FREE_SOCKET_MS, scheduling: 'lifo' } as const;
  const single = { keepAlive: false, maxSockets: Number.POSITIVE_INFINITY } as const;
  if (protocol === 'https:')
    return { shared: new OneServerAgent({ ...kept, ...tls }, proxy), single: new OneServerAgent({ ...single, ...tls }, proxy), tls };
  if (proxy === undefined) return { shared: new HttpAgent(kept), single: new HttpAgent(single), tls };
  return { shared: new TunnelAgent(kept, proxy), single: new TunnelAgent(single, proxy), tls };
}

/**
 * All its connections are to one server under one set of certificates: one name serves all. Node would join the address and every certificate to a name
 * of some kilobytes, several times for each request, and read all certificates anew for each connection.
 */
class OneServerAgent extends HttpsAgent {
  #context: SecureContext | undefined;
  readonly #proxy: string | undefined;

  constructor(options: ConstructorParameters<typeof HttpsAgent>[0], proxy: string | undefined) {
    super(options);
    this.#proxy = proxy;
  }

  override getName(): string {
    return 'server';
  }

  override createConnection(options: RequestOptions, callback?: ConnectionCallback): Duplex | null | undefined {
    this.#context ??= createSecureContext(options);
    const secured = { ...options, secureContext: this.#context } as RequestOptions;
    if (this.#proxy === undefined) return super.createConnection(secured, callback);
    return tunnelled(this.#proxy, options, {
      opened: (socket) => connect({ ...secured, socket } as ConnectionOptions),
      callback,
    });
  }
}

/** Plain HTTP through a proxy. */
class TunnelAgent extends HttpAgent {
  readonly #proxy: string;

  constructor(options: ConstructorParameters<typeof HttpAgent>[0], proxy: string) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(options: RequestOptions, callback?: ConnectionCallback): Duplex | null | undefined {
    return tunnelled(this.#proxy, options, { opened: (socket) => socket, callback });
  }
}

type ConnectionCallback = (error: Error | null, stream: Duplex) => void;

interface Opening {
  readonly opened: (socket: Socket) => Duplex;
  readonly callback: ConnectionCallback | undefined;
}

/** Node takes the connection from the callback when the tunnel stands. */
function tunnelled(proxy: string, { host, port }: RequestOptions, { opened, callback }: Opening): undefined {
  const failed = (error: Error): void => callback?.(error, undefined as never);
  openTunnel(proxy, { host: host ?? '', port: Number(port) }).then((socket) => callback?.(null, opened(socket)), failed);
  return undefined;
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
