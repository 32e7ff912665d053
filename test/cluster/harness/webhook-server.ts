import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TestObject } from './cluster.js';
import type { ServingCertificate } from './serving-certificate.js';

/** `request` of an AdmissionReview or a ConversionReview, as the API server sends it. */
export interface ReviewRequest {
  readonly uid: string;
  /** Admission: */
  readonly operation?: string;
  readonly kind?: object;
  readonly subResource?: string;
  readonly options?: object | null;
  readonly resource?: { readonly group: string; readonly version: string; readonly resource: string };
  readonly namespace?: string;
  readonly name?: string;
  readonly dryRun?: boolean;
  readonly object?: TestObject | null;
  readonly oldObject?: TestObject | null;
  /** Conversion: */
  readonly desiredAPIVersion?: string;
  readonly objects?: readonly TestObject[];
}

export interface ReceivedReview {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: ReviewRequest;
}

/** What goes into `response` beside the uid. */
export type Answer = (request: ReviewRequest) => object;

/** An HTTPS server that answers reviews by path and keeps what it was asked. A path without an answer is 404, so that a wrong one is seen. */
export class WebhookServer {
  readonly received: ReceivedReview[] = [];
  readonly #answers = new Map<string, Answer>();
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor({ key, certificate }: ServingCertificate) {
    this.#server = createServer({ key, cert: certificate }, (request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      request.on('end', () => {
        // The API server appends its timeout.
        const path = new URL(request.url ?? '', 'https://webhook').pathname;
        const review = JSON.parse(text) as Omit<ReceivedReview, 'path'>;
        this.received.push({ ...review, path });
        const answer = this.#answers.get(path);
        if (answer === undefined) {
          response.writeHead(404).end();
          return;
        }
        const { apiVersion, kind, request: asked } = review;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ apiVersion, kind, response: { uid: asked.uid, ...answer(asked) } }));
      });
    });
  }

  /** @param certificate what it shows to whoever connects */
  static async listen(certificate: ServingCertificate): Promise<WebhookServer> {
    const server = new WebhookServer(certificate);
    // Of the TCP connections themselves: a handshake that the client broke off is not HTTP connection, and would keep the server from closing.
    server.#server.on('connection', (socket: Socket) => {
      server.#sockets.add(socket);
      socket.on('close', () => server.#sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject);
      server.#server.listen(0, '127.0.0.1', resolve);
    });
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  answer(path: string, answer: Answer): void {
    this.#answers.set(path, answer);
  }

  /** What was asked since the last call. */
  takeReceived(): ReceivedReview[] {
    return this.received.splice(0);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
