import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { DEADLINE_MS } from '../../deadline.cjs';
import { eventually } from '../../eventually.js';
import { looksAtCache } from './watch-cache.js';

/** One of the two servers. */
export interface Endpoint {
  readonly name: string;
  readonly url: string;
  readonly ca: string;
  /** Bearer tokens by user. */
  readonly tokens: Readonly<Record<string, string>>;
  /**
   * A kube-apiserver tries a write first on the object as its watch cache has it. Where that is behind, it tries again on the object as it is stored; but the warnings of the
   * first try are sent too, and a quota is charged twice. A write is over here when the cache has it.
   */
  readonly hasWatchCache?: boolean;
}

/** A request, the same for both servers. */
export interface Step {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** An object is sent as JSON. */
  readonly body?: unknown;
  /** Default: JSON, or what the body of a patch is; `''`: no header. */
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Default `admin`; `''`: no credentials. */
  readonly user?: string;
  /** Of a watch: so many frames are read, then the client goes. */
  readonly frames?: number;
  /** Sent again until the answer, or a warning with it, holds this text: what the server does on its own is not done at once. */
  readonly until?: string;
  /** Default true. False where the servers are only given time, and how often they were asked would show. */
  readonly isCompared?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Texts of the `Warning` headers, as they were sent. */
  readonly warnings: readonly string[];
  readonly text: string;
}

export class Speaker {
  readonly endpoint: Endpoint;
  readonly #agent: Agent;

  constructor(endpoint: Endpoint) {
    this.endpoint = endpoint;
    this.#agent = new Agent({ keepAlive: true, ca: endpoint.ca, maxSockets: 8 });
  }

  /** @throws Error when the text that a step waits for does not come */
  async ask(step: Step): Promise<Answer> {
    const { until } = step;
    if (until === undefined) return this.#send(step);
    let last = '';
    const awaited = async (): Promise<Answer | undefined> => {
      const answer = await this.#send(step);
      last = answer.text;
      return [last, ...answer.warnings].some((text) => text.includes(until)) ? answer : undefined;
    };
    return eventually(awaited, () => `${step.method} ${step.path} on ${this.endpoint.name} comes to ${until}; it is ${last}`);
  }

  async #send(step: Step): Promise<Answer> {
    const answer = await this.#exchange(step);
    const look = this.endpoint.hasWatchCache === true ? looksAtCache(step, answer) : undefined;
    if (look !== undefined) await eventually(async () => look.isThere(await this.#exchange({ method: 'GET', path: look.path })));
    return answer;
  }

  #exchange(step: Step): Promise<Answer> {
    const body = bodyOf(step.body);
    const url = new URL(step.path.replace(/^\/+/, '/'), this.endpoint.url);
    return new Promise((resolve, reject) => {
      const options = {
        method: step.method,
        headers: this.#headers(step, body),
        agent: step.frames === undefined ? this.#agent : false,
        ca: this.endpoint.ca,
      };
      const request = httpsRequest(url, options, (response) => {
        let text = '';
        const done = (): void => {
          const { statusCode: status = 0, headers, rawHeaders } = response;
          resolve({ status, headers, warnings: warningsOf(rawHeaders), text: framesOf(text, step.frames) });
        };
        response.setEncoding('utf8');
        const deadline = step.frames === undefined ? undefined : setTimeout(() => request.destroy(), DEADLINE_MS);
        response.on('data', (chunk: string) => {
          text += chunk;
          if (step.frames !== undefined && text.split('\n').length > step.frames) request.destroy();
        });
        response.on('end', done);
        response.on('error', done);
        response.on('close', () => {
          clearTimeout(deadline);
          done();
        });
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #headers(
    { user = 'admin', accept = 'application/json', contentType, method, body, headers = {} }: Step,
    bytes: Buffer | undefined,
  ): Record<string, string | string[]> {
    const type = contentType ?? (body === undefined ? '' : method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');
    const more = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]));
    return {
      ...(user === '' ? {} : { authorization: `Bearer ${this.endpoint.tokens[user] ?? user}` }),
      ...(accept === '' ? {} : { accept }),
      ...(type === '' ? {} : { 'content-type': type }),
      ...(bytes === undefined ? {} : { 'content-length': String(bytes.length) }),
      'user-agent': 'differ/1',
      ...more,
    };
  }
}

/** More frames may have come before the client went. */
function framesOf(text: string, frames: number | undefined): string {
  return frames === undefined ? text : text.split('\n').slice(0, frames).join('\n');
}

function bodyOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function warningsOf(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'warning');
}
