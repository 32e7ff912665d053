import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '@keelson/kubernetes/apimachinery';
import { ConnectionGuard, inTurn, SerialMessage } from '@keelson/kubernetes/listening';
import { MARKUP, SCRIPT, STYLE } from './assets/index.js';

const HOST = '127.0.0.1';
const TOKEN_HEADER = 'x-keelson-token';
const TOKEN_BYTES = 24;
/** Several times what browsers open to one server. */
const MOST_CONNECTIONS = 64;

/** On each answer, refusals included. */
const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const ASSETS: ReadonlyMap<string, { readonly type: string; readonly text: string }> = new Map([
  ['', { type: 'text/html; charset=utf-8', text: MARKUP }],
  ['page.js', { type: 'text/javascript; charset=utf-8', text: SCRIPT }],
  ['page.css', { type: 'text/css; charset=utf-8', text: STYLE }],
]);

/** @returns the reason why it is not done; `undefined` if it is done */
export type PageAction = (query: URLSearchParams) => string | undefined;

export interface PageServerOptions {
  /** Answers, by the last part of the path, that are JSON. Undefined: nothing is new, 204. */
  readonly reads: Readonly<Record<string, (query: URLSearchParams) => Promise<object | undefined> | object | undefined>>;
  /** The functions behind the buttons, by the last part of the path. They return the reason why they cannot: 400. */
  readonly actions: Readonly<Record<string, PageAction>>;
}

/**
 * Serves the page at 127.0.0.1, under a path that begins with a random token.
 *
 * Guarantees: without the token nothing is answered but a refusal. A name of another host that leads here (DNS rebinding) is refused, and an action moreover needs the
 * token in a header, which a page from elsewhere cannot send. Connections beyond a number cost the oldest that is unused: a client that opens many keeps no
 * other out.
 */
export class PageServer {
  readonly #server: Server;
  readonly #options: PageServerOptions;
  readonly #token = randomBytes(TOKEN_BYTES).toString('base64url');

  private constructor(options: PageServerOptions) {
    this.#options = options;
    this.#server = createServer({ IncomingMessage: SerialMessage }, (request, response) => {
      const failed = (error: unknown): void => respond(response, 500, messageOf(error));
      inTurn(request.socket, response, () => void this.#answer(request, response).catch(failed));
    });
    new ConnectionGuard({ most: MOST_CONNECTIONS }).watch(this.#server);
  }

  static async start(options: PageServerOptions): Promise<PageServer> {
    const page = new PageServer(options);
    await new Promise<void>((resolve, reject) => {
      page.#server.once('error', reject);
      page.#server.listen(0, HOST, resolve);
    });
    return page;
  }

  /** With the token. */
  get url(): string {
    return `http://${HOST}:${this.#port}/${this.#token}/`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    const { host = '', origin } = request.headers;
    const hosts = [`${HOST}:${this.#port}`, `localhost:${this.#port}`];
    if (!hosts.includes(host)) return respond(response, 403, 'this page is served at 127.0.0.1 alone');
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const [, token = '', name, ...rest] = pathname.split('/');
    if (name === undefined || rest.length > 0 || !this.#isToken(token)) return respond(response, 404, 'not found');
    const { actions, reads } = this.#options;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (action !== undefined) {
      if (!allows(request, response, ['POST'])) return;
      const isOwn = origin === undefined || hosts.includes(origin.replace(/^http:\/\//, ''));
      if (!isOwn || !this.#isToken(String(request.headers[TOKEN_HEADER] ?? '')))
        return respond(response, 403, `an action needs the token in the header ${TOKEN_HEADER}`);
      const refused = action(searchParams);
      return refused === undefined ? respond(response, 204) : respond(response, 400, refused);
    }
    const asset = ASSETS.get(name);
    const read = Object.hasOwn(reads, name) ? reads[name] : undefined;
    if (asset === undefined && read === undefined) return respond(response, 404, 'not found');
    if (!allows(request, response, ['GET', 'HEAD'])) return;
    if (asset !== undefined) return respond(response, 200, asset.text, asset.type);
    const answer = await read?.(searchParams);
    if (answer === undefined) return respond(response, 204);
    respond(response, 200, JSON.stringify(answer), 'application/json; charset=utf-8');
  }

  /** Compares digests in constant time: they are all of one length. */
  #isToken(given: string): boolean {
    const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
    return timingSafeEqual(digest(given), digest(this.#token));
  }
}

function allows({ method = '' }: IncomingMessage, response: ServerResponse, methods: readonly string[]): boolean {
  if (methods.includes(method)) return true;
  response.setHeader('allow', methods.join(', '));
  respond(response, 405, `only ${methods.join(' and ')}`);
  return false;
}

function respond(response: ServerResponse, status: number, text?: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { ...SECURITY_HEADERS, ...(text === undefined ? {} : { 'content-type': type }) });
  response.end(text);
}
