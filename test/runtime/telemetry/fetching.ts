import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Logger } from '../../../src/keelson/definition/index.js';

export interface Fetched {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

export function fetched(url: string, options: RequestOptions & { readonly ca?: string; readonly body?: string } = {}): Promise<Fetched> {
  const { body, ...rest } = options;
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const request = send(url, { agent: false, ...rest }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString(), headers: response.headers }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** A log that keeps its lines: level, message, and fields as JSON without secrets being hidden, so that a test sees what was handed to it. */
export function keptLog(): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const line = (level: string) => (message: string, fields?: object) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`);
  return { lines, log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') } };
}
