import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestOptions {
  /** Default `application/json`. */
  readonly contentType?: string;
  readonly accept?: string;
  /** Name of a user of the token file; default `admin`. */
  readonly user?: string;
  /** Asked for in the name of somebody else (the user must have the right to impersonate: `admin` has it). */
  readonly impersonate?: { readonly user: string; readonly groups?: readonly string[] };
  readonly query?: Readonly<Record<string, string>>;
}

export interface ApiResponse<T> {
  readonly status: number;
  readonly body: T;
  /** Texts of the `Warning` headers, in order. */
  readonly warnings: readonly string[];
  readonly headers: IncomingMessage['headers'];
}

export interface Connection {
  readonly url: string;
  /** PEM of the serving certificate and its issuer. */
  readonly ca: string;
  /** Bearer tokens by user name. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** A small JSON client for assertions: it retries nothing and hides nothing, so that a test sees what the server said. */
export class ApiClient {
  readonly #connection: Connection;
  readonly #agent: Agent;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#agent = new Agent({ keepAlive: true, ca: connection.ca, maxSockets: 8 });
  }

  request<T>(method: Method, path: string, body?: unknown, options: RequestOptions = {}): Promise<ApiResponse<T>> {
    const url = new URL(path, this.#connection.url);
    for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, value);
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const headers = this.#headersFor(options, text);
    return new Promise((resolve, reject) => {
      const request = httpsRequest(url, { method, headers, agent: this.#agent }, (response) => {
        let received = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          received += chunk;
        });
        response.on('error', reject);
        response.on('end', () => resolve(toResponse<T>(response, received)));
      });
      request.on('error', reject);
      request.end(text);
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #headersFor(options: RequestOptions, text: string | undefined): Record<string, string | string[]> {
    const user = options.user ?? 'admin';
    const token = this.#connection.tokens[user];
    if (token === undefined) throw new Error(`no user ${user}; there are ${Object.keys(this.#connection.tokens).join(', ')}`);
    const headers: Record<string, string | string[]> = { authorization: `Bearer ${token}`, accept: options.accept ?? 'application/json' };
    if (text !== undefined) {
      headers['content-type'] = options.contentType ?? 'application/json';
      headers['content-length'] = String(Buffer.byteLength(text));
    }
    if (options.impersonate !== undefined) {
      headers['impersonate-user'] = options.impersonate.user;
      if (options.impersonate.groups?.length) headers['impersonate-group'] = [...options.impersonate.groups];
    }
    return headers;
  }
}

function toResponse<T>(response: IncomingMessage, text: string): ApiResponse<T> {
  const isJson = response.headers['content-type']?.startsWith('application/json') === true;
  return {
    status: response.statusCode ?? 0,
    body: (isJson ? JSON.parse(text) : text) as T,
    warnings: warningsOf(response.rawHeaders),
    headers: response.headers,
  };
}

/** From the raw headers: Node joins repeated headers by a comma, and a warning's text may contain one. */
function warningsOf(rawHeaders: readonly string[]): string[] {
  const texts: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'warning') continue;
    const quoted = /^299 \S+ ("(?:[^"\\]|\\.)*")/.exec(rawHeaders[index + 1] ?? '')?.[1];
    texts.push(quoted === undefined ? (rawHeaders[index + 1] ?? '') : quoted.slice(1, -1).replace(/\\(.)/g, '$1'));
  }
  return texts;
}
