import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A user of the server. What breaks on the way is an answer of status 0: faults do that. */
export class Client {
  readonly #url: URL;
  readonly #token: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string, token: string) {
    this.#url = new URL(url);
    this.#token = token;
  }

  async send(method: string, path: string, { body, type = 'application/json' }: { body?: unknown; type?: string } = {}): Promise<Answer> {
    const response = await this.#open(method, path, body === undefined ? undefined : { text: JSON.stringify(body), type });
    if (response === undefined) return { status: 0, text: '' };
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of response) chunks.push(chunk as Buffer);
    } catch {
      // The connection broke within the answer.
      return { status: 0, text: '' };
    }
    return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') };
  }

  /** A watch: lines until it ends, breaks, or `abort` is called. */
  async stream(path: string): Promise<Lines | undefined> {
    const response = await this.#open('GET', path, undefined);
    return response === undefined ? undefined : new Lines(response);
  }

  close(): void {
    this.#agent.destroy();
  }

  #open(
    method: string,
    path: string,
    body: { readonly text: string; readonly type: string } | undefined,
  ): Promise<IncomingMessage | undefined> {
    const { hostname, port } = this.#url;
    const headers = {
      Authorization: `Bearer ${this.#token}`,
      ...(body && { 'Content-Type': body.type, 'Content-Length': Buffer.byteLength(body.text) }),
    };
    return new Promise((resolve) => {
      const sent = httpRequest({ hostname, port, method, path, headers, agent: this.#agent }, resolve);
      sent.on('error', () => resolve(undefined));
      sent.end(body?.text);
    });
  }
}

export class Lines {
  readonly #response: IncomingMessage;

  constructor(response: IncomingMessage) {
    this.#response = response;
  }

  get status(): number {
    return this.#response.statusCode ?? 0;
  }

  abort(): void {
    this.#response.destroy();
  }

  /** Ends with the stream, however that ends; half a line is none. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    let rest = '';
    try {
      for await (const chunk of this.#response.setEncoding('utf8')) {
        const lines = (rest + (chunk as string)).split('\n');
        rest = lines.pop() ?? '';
        yield* lines;
      }
    } catch {
      // Cut: what was whole has been handed out.
    }
  }
}
