import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Clock } from '../../../clock/index.js';
import { BackendChoice } from './backend-choice.js';
import type { OpenPort } from './open-port.js';
import type { Backend, ServedPort } from './served-ports.js';

/** A client that has been silent for so long is forgotten: the next datagram may go to another backend. Source: Linux' `nf_conntrack_udp_timeout_stream`. */
const FORGET_AFTER_MS = 120_000;
/** Clients of one port at once; a new one takes the place of the one that came first. */
const MOST_CLIENTS = 1_024;

interface Flow {
  readonly backend: Backend;
  /** Connected to the backend: answers come back on it. */
  readonly socket: Socket;
  forget: () => void;
}

/**
 * Takes the datagrams of one port of a Service, and leads those of each client to one backend, as kube-proxy and the kernel's connection tracking do.
 *
 * Guarantees: answers come from the address of the Service; a client whose backend has left the Service is led to another one with its next datagram.
 */
export class DatagramProxy implements OpenPort {
  readonly #clock: Clock;
  readonly #choice: BackendChoice;
  readonly #server: Socket;
  /** By address and port of the client. */
  readonly #flows = new Map<string, Flow>();

  private constructor(served: ServedPort, clock: Clock) {
    this.#clock = clock;
    this.#choice = new BackendChoice(served, clock);
    this.#server = createSocket('udp4');
    // An answer that cannot be sent is lost, as any datagram may be; the client asks again.
    this.#server.on('error', () => undefined);
    this.#server.on('message', (message, { address, port }) => this.#lead(message, { host: address, port }));
  }

  /** @throws the error of `bind`: the port is taken, or not for this user */
  static async open(served: ServedPort, clock: Clock): Promise<DatagramProxy> {
    const proxy = new DatagramProxy(served, clock);
    const server = proxy.#server;
    server.bind({ address: served.address, port: served.port, exclusive: true });
    try {
      await once(server, 'listening');
    } catch (error) {
      server.close();
      throw error;
    }
    return proxy;
  }

  follow(served: ServedPort): void {
    this.#choice.follow(served);
    for (const [client, { backend }] of this.#flows) if (!this.#choice.has(backend)) this.#forget(client);
  }

  refuse(onEnd: () => void): void {
    this.cut();
    onEnd();
  }

  cut(): void {
    for (const client of [...this.#flows.keys()]) this.#forget(client);
    this.#server.close();
  }

  #lead(message: Buffer, client: Backend): void {
    const key = `${client.host}:${client.port}`;
    const flow = this.#flows.get(key) ?? this.#begun(key, client);
    flow.forget();
    flow.forget = this.#clock.schedule(FORGET_AFTER_MS, () => this.#forget(key));
    flow.socket.send(message, flow.backend.port, flow.backend.host);
  }

  #begun(key: string, client: Backend): Flow {
    const [oldest] = this.#flows.keys();
    if (oldest !== undefined && this.#flows.size >= MOST_CLIENTS) this.#forget(oldest);
    const backend = this.#choice.of(client.host);
    const socket = createSocket('udp4');
    // As lost datagrams: the client asks again.
    socket.on('error', () => undefined);
    socket.on('message', (answer, { address, port }) => {
      if (address === backend.host && port === backend.port) this.#server.send(answer, client.port, client.host);
    });
    const flow: Flow = { backend, socket, forget: () => undefined };
    this.#flows.set(key, flow);
    return flow;
  }

  #forget(client: string): void {
    const flow = this.#flows.get(client);
    this.#flows.delete(client);
    flow?.forget();
    flow?.socket.close();
  }
}
