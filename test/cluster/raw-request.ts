import { type RequestOptions, request } from 'node:https';

export interface RawAnswer {
  readonly status: number;
  /** Parsed, if it is JSON. */
  readonly body: unknown;
}

/** A request with exactly these headers and, if given, a client certificate. */
export function rawRequest(
  url: string,
  options: Pick<RequestOptions, 'ca' | 'cert' | 'key' | 'method' | 'headers'>,
  body?: unknown,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { ...options.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const sent = request(url, { ...options, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', reject).on('end', () => {
        const isJson = response.headers['content-type']?.startsWith('application/json') === true;
        resolve({ status: response.statusCode ?? 0, body: isJson ? (JSON.parse(text) as unknown) : text });
      });
    });
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
