import { request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { JoinedBytes } from '@keelson/kubernetes/apimachinery';
import { WebhookCallError } from './call-error.js';
import { addressOf, type ServiceResolver, type WebhookClientConfig } from './client-config.js';
import { goNetworkError } from './go-network-error.js';
import { type HttpAnswer, refusalOf } from './http-answer.js';
import { type Hop, redirected } from './redirect.js';

export interface CallOptions {
  /** Time for the whole call, in seconds; the webhook reads it too (`?timeout=10s`). */
  readonly timeoutSeconds: number;
  /** The signal of the request that the call is part of. */
  readonly signal?: AbortSignal;
}

/** Shared by all requests of a call. */
interface Way {
  readonly config: WebhookClientConfig;
  readonly signal: AbortSignal;
}

/** More than any review with an object of the largest size: an answer beyond it is not an answer. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** As client-go's cache of webhook clients. */
const MAX_AGENTS = 200;

/**
 * Calls webhooks over HTTPS as the API server does: a certificate must be in the bundle or be issued by one of its certificates, for the name that is called; services are looked up with a
 * resolver, for there is no cluster network here.
 *
 * Errors: {@link WebhookCallError} with Go's texts if the answer is not JSON.
 */
export class WebhookClient {
  readonly #resolve: ServiceResolver;
  readonly #agents = new Map<string, Agent>();

  constructor({ resolve }: { readonly resolve: ServiceResolver }) {
    this.#resolve = resolve;
  }

  /** Posts a review and gives the webhook's. */
  async call(config: WebhookClientConfig, review: unknown, { timeoutSeconds, signal }: CallOptions): Promise<unknown> {
    const address = addressOf(config, { resolve: this.#resolve, timeoutSeconds });
    if (typeof address === 'string') throw new WebhookCallError(address);
    const deadline = AbortSignal.timeout(timeoutSeconds * 1000);
    const answer = await this.#followed(
      { address, method: 'POST', text: JSON.stringify(review) },
      { config, signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]) },
    );
    if (answer.code < 200 || answer.code > 206) throw refusalOf(answer);
    return parsed(answer.body);
  }

  /** Ends the idle connections. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  async #followed(first: Hop, way: Way): Promise<HttpAnswer> {
    for (let [hop, hops] = [first, 1]; ; hops += 1) {
      const answer = await this.#send(hop, way);
      const next = redirected(hop, answer, hops);
      if (next === undefined) return answer;
      hop = next;
    }
  }

  #send(hop: Hop, way: Way): Promise<HttpAnswer> {
    const { address, method, text } = hop;
    const { url, host, port } = address;
    const { config, signal } = way;
    const isSecure = url.protocol === 'https:';
    const servername = /^[\d.]+$|:/.test(url.hostname) ? '' : url.hostname;
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => reject(new WebhookCallError(goNetworkError(signal.aborted ? timedOut() : error, address)));
      const options = {
        ...(isSecure && { agent: this.#agentOf(config), servername }),
        host,
        port,
        path: `${url.pathname}${url.search}`,
        method,
        signal,
        headers: {
          host: url.host,
          accept: 'application/json, */*',
          ...(method === 'POST' && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          'user-agent': 'kube-apiserver-admission',
        },
      };
      const call = (isSecure ? request : plainRequest)(options, (response) => {
        const body = new JoinedBytes();
        response.on('data', (chunk: Buffer) => {
          body.add(chunk);
          if (body.length > MAX_ANSWER_BYTES)
            response.destroy(new Error(`http: response body too large (more than ${MAX_ANSWER_BYTES} bytes)`));
        });
        response.on('error', fail);
        response.on('end', () =>
          resolve({
            code: response.statusCode ?? 0,
            contentType: response.headers['content-type'],
            location: response.headers.location ?? '',
            body: Buffer.concat(body.take()).toString('utf8'),
          }),
        );
      });
      call.on('error', (error: NodeJS.ErrnoException) => {
        // A kept connection that the webhook has closed meanwhile: nothing of the request was read, as Go sees it.
        if (call.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted) resolve(this.#send(hop, way));
        else fail(error);
      });
      call.end(text);
    });
  }

  /** One for each bundle and address: connections must not outlive a change of the certificates that are trusted. */
  #agentOf(config: WebhookClientConfig): Agent {
    const key = JSON.stringify([config.url, config.service, config.caBundle]);
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    const ca =
      config.caBundle === undefined || config.caBundle === '' ? undefined : Buffer.from(config.caBundle, 'base64').toString('utf8');
    // Each certificate of the bundle is an anchor, as in Go: an intermediate, or the serving certificate itself. OpenSSL alone wants a self-signed root.
    const agent = new Agent({ keepAlive: true, allowPartialTrustChain: true, ...(ca === undefined ? {} : { ca }) });
    if (this.#agents.size >= MAX_AGENTS) this.#dropOldest();
    this.#agents.set(key, agent);
    return agent;
  }

  #dropOldest(): void {
    const [oldest] = this.#agents;
    if (oldest === undefined) return;
    oldest[1].destroy();
    this.#agents.delete(oldest[0]);
  }
}

function timedOut(): Error {
  return Object.assign(new Error('context deadline exceeded'), { name: 'TimeoutError' });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch (error) {
    throw new WebhookCallError(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}
