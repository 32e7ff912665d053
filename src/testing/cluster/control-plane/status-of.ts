import { get as httpGet } from 'node:http';
import { get as httpsGet, type RequestOptions } from 'node:https';

const ANSWER_WITHIN_MS = 5_000;

/** As whom a server is asked over TLS, and whom it is trusted by. */
export type Asker = Pick<RequestOptions, 'ca' | 'cert' | 'headers' | 'key'>;

/** Status code of a GET, on a connection of its own. @throws Error when there is no answer */
export function statusOf(url: string, asker?: Asker): Promise<number | undefined> {
  const options = { ...asker, agent: false as const, timeout: ANSWER_WITHIN_MS };
  return new Promise((resolve, reject) => {
    const request = (asker === undefined ? httpGet : httpsGet)(url, options, (response) => resolve(response.resume().statusCode));
    request.on('timeout', () => request.destroy(new Error(`${url} did not answer`)));
    request.on('error', reject);
  });
}
