import { request } from 'node:https';
import type { NodeCredentials } from './credentials.js';

export interface JsonRequest {
  readonly url: string;
  readonly credentials: NodeCredentials;
  /** Default: none, and the method is GET; with one it is POST. */
  readonly body?: object;
}

const ANSWER_WITHIN_MS = 10_000;

/** Asks in the name of the administrator. @throws Error when it is refused, or not answered */
export function requestJson<T>({ url, credentials, body }: JsonRequest): Promise<T> {
  const headers = { authorization: `Bearer ${credentials.tokens['admin']}`, 'content-type': 'application/json' };
  const options = { agent: false as const, ca: credentials.authority, headers, timeout: ANSWER_WITHIN_MS };
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, method }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => {
        if ((response.statusCode ?? 0) < 300) resolve((text.startsWith('{') ? JSON.parse(text) : text) as T);
        else reject(new Error(`${method} ${url} was answered with ${response.statusCode}: ${text}`));
      });
    });
    sent.on('timeout', () => sent.destroy(new Error(`${url} did not answer within ${ANSWER_WITHIN_MS / 1000} s`)));
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
