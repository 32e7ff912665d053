import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { WhyError } from '../errors.js';

export interface JournalAnswer {
  readonly status: number;
  readonly text: string;
}

const ANSWER_MS = 15_000;
/** Ten runs of one object, each of some kilobytes. */
const MOST_CHARACTERS = 16 << 20;

/**
 * Asks the secured metrics server at the other end of `stream`. Its certificate is not verified: the API server has authenticated the node that forwards the port.
 *
 * @throws WhyError
 */
export async function askJournal(
  stream: Duplex,
  { path, token }: { readonly path: string; readonly token: string },
): Promise<JournalAnswer> {
  // The stream knows why a connection failed. TLS says only that it has ended.
  const broken = new Promise<never>((_, reject) => stream.once('error', reject));
  const request = httpsRequest({
    path,
    headers: { host: 'localhost', authorization: `Bearer ${token}` },
    createConnection: () => connect({ socket: stream, rejectUnauthorized: false }),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  try {
    return await Promise.race([answerOf(request), broken]);
  } finally {
    request.on('error', () => undefined).destroy();
    stream.on('error', () => undefined).destroy();
  }
}

async function answerOf(request: ClientRequest): Promise<JournalAnswer> {
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const part of response.setEncoding('utf8')) {
    text += String(part);
    if (text.length > MOST_CHARACTERS) throw new WhyError(`the answer is longer than ${MOST_CHARACTERS} characters`);
  }
  return { status: response.statusCode ?? 0, text };
}
