import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** A server to be asked, embedded or real. */
export interface AskedServer {
  readonly url: string;
  /** Absent: plain HTTP. */
  readonly ca?: string;
  readonly token: string;
}

export interface Asked {
  /** Default `GET`. */
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
}

export interface Told {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Some answers call themselves JSON and have no body, others are bytes: the client of the harness would stumble. */
export function askServer({ url, ca, token }: AskedServer, { method = 'GET', path, headers = {}, body }: Asked): Promise<Told> {
  const options = {
    method,
    ...(ca === undefined ? {} : { ca }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers, authorization: `Bearer ${token}` },
  };
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? httpsRequest : httpRequest;
    request(new URL(path, url), options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }));
      response.on('error', reject);
    })
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}
