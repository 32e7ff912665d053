import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { ResourceCatalog } from '../../../src/api-server/contract/index.js';
import { ApiHttpServer, type HttpParts, type ListeningAddress } from '../../../src/api-server/http/index.js';
import { FakeApi, fakeCatalog } from './fake-api.js';

export interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  readonly json: any;
}

export interface SendOptions {
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

export const JSON_TYPE = { 'content-type': 'application/json' };

/** A server over a {@link FakeApi}, and a client that hides nothing. */
export class TestServer {
  readonly api: FakeApi = new FakeApi();
  readonly catalog: ResourceCatalog = fakeCatalog();
  readonly bugs: unknown[] = [];
  readonly server: ApiHttpServer;
  address!: ListeningAddress;

  constructor(parts: Partial<HttpParts> = {}) {
    this.server = new ApiHttpServer({
      api: this.api,
      catalog: this.catalog,
      documents: { find: () => undefined },
      gatekeeper: { authenticate: () => ({ username: 'alice', groups: ['system:authenticated'] }), authorize: () => undefined },
      now: () => new Date('2026-01-02T03:04:05Z'),
      reportBug: (error) => this.bugs.push(error),
      ...parts,
    });
  }

  static async start(parts: Partial<HttpParts> = {}): Promise<TestServer> {
    const server = new TestServer(parts);
    server.address = await server.server.listen();
    return server;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  send(method: string, path: string, { headers = {}, body }: SendOptions = {}): Promise<Response> {
    const { host, port } = this.address;
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const request = httpRequest({ host, port, method, path, headers: { ...length, ...headers }, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const isJson = response.headers['content-type']?.startsWith('application/json') === true && text !== '' && !text.includes('}\n{');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined });
        });
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  /** A connection of bytes, for what no HTTP client would send. */
  raw(): RawConnection {
    return new RawConnection(connect(this.address.port, this.address.host));
  }
}

export class RawConnection {
  readonly socket: Socket;
  received = '';
  isClosed = false;
  #notify: () => void = () => undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.received += chunk.toString('latin1');
      this.#notify();
    });
    const closed = (): void => {
      this.isClosed = true;
      this.#notify();
    };
    socket.on('close', closed).on('error', closed);
  }

  write(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  /** Waits until what was received satisfies the condition. */
  until(condition: (connection: RawConnection) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        if (condition(this)) resolve();
        else if (this.isClosed) reject(new Error(`closed after ${JSON.stringify(this.received.slice(0, 500))}`));
      };
      this.#notify = check;
      check();
    });
  }

  closed(): Promise<void> {
    return new Promise((resolve) => {
      this.#notify = () => {
        if (this.isClosed) resolve();
      };
      this.#notify();
    });
  }
}
