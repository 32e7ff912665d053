import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Cluster } from './cluster.js';

/**
 * The way from the API server to Services, without a pod network: the API server asks a proxy of ours for `<cluster IP>:<port>`, as it would dial it in a
 * cluster, and we lead that to a port of the loopback interface. Manifests are applied as they are; nothing in them knows of the test.
 *
 * An address without a route is refused, as if no pod were behind the Service.
 */
export class ServiceNetwork {
  /** `<host>:<port>` of every connection that the API server wanted, oldest first. */
  readonly dialled: string[] = [];
  readonly #routes = new Map<string, number>();
  readonly #sockets = new Set<Socket>();
  readonly #proxy: Server = createServer();

  private constructor() {
    this.#proxy.on('connect', (request, socket: Socket) => this.#tunnel(request.url ?? '', socket));
  }

  static async open({ connection: { serviceSocket = '' } }: Pick<Cluster, 'connection'>): Promise<ServiceNetwork> {
    // A process that was killed has left it.
    rmSync(serviceSocket, { force: true });
    const network = new ServiceNetwork();
    await new Promise<void>((resolve, reject) => {
      network.#proxy.once('error', reject);
      network.#proxy.listen(serviceSocket, resolve);
    });
    return network;
  }

  /** Leads connections to a Service's address (`10.0.0.7:443`) to a port of loopback. */
  route(address: string, port: number): void {
    this.#routes.set(address, port);
  }

  /** Takes the route away and cuts what runs over it: the pods behind the Service are gone. */
  unroute(address: string): void {
    this.#routes.delete(address);
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#proxy.close(resolve));
  }

  #tunnel(address: string, client: Socket): void {
    this.dialled.push(address);
    this.#watch(client);
    const port = this.#routes.get(address);
    if (port === undefined) {
      client.end('HTTP/1.1 502 no endpoints\r\n\r\n');
      return;
    }
    const server = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.pipe(server).pipe(client);
    });
    this.#watch(server);
    // One end gone means that the other is of no use.
    server.on('close', () => client.destroy());
    client.on('close', () => server.destroy());
  }

  #watch(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
  }
}

/** @param udsName the socket of the proxy */
export function egressSelector(udsName: string): object {
  return {
    apiVersion: 'apiserver.k8s.io/v1beta1',
    kind: 'EgressSelectorConfiguration',
    egressSelections: [{ name: 'cluster', connection: { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName } } } }],
  };
}
