import type { IncomingMessage } from 'node:http';
import { checkNesting, type Json } from '../../kubernetes/index.js';
import type { ByteBudget } from './byte-budget.js';
import { NoReview, textOf } from './errors.js';

/** As controller-runtime: objects of etcd's 1.5 MiB twice, escaped, and what belongs to them. */
const MAX_BODY_BYTES = 7 * 1024 * 1024;

/** Refuses what cannot be a review before a byte of it is read. @throws NoReview */
export function checkHead({ method, headers }: IncomingMessage): void {
  if (method !== 'POST') throw new NoReview(405, `${method} is not served here; reviews are posted`, { allow: 'POST' });
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new NoReview(415, `content type ${JSON.stringify(headers['content-type'] ?? '')} is not served here; send application/json`);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new NoReview(415, `content encoding ${JSON.stringify(encoding)} is not served here; send it plain`);
  if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
}

/**
 * The document that a request carries. Its bytes wait in the network until the budget has room for them.
 *
 * @throws NoReview, or the reason of the signal
 */
export async function readDocument(
  request: IncomingMessage,
  { budget, signal }: { readonly budget: ByteBudget; readonly signal: AbortSignal },
): Promise<{ readonly document: Json; readonly release: () => void }> {
  const release = await budget.take(Number(request.headers['content-length'] ?? MAX_BODY_BYTES), signal);
  try {
    return { document: parsed(await readText(request, signal)), release };
  } catch (error) {
    release();
    throw error;
  }
}

function readText(request: IncomingMessage, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (outcome: () => void): void => {
      request.off('data', take).off('end', end).off('error', fail).off('close', gone);
      signal.removeEventListener('abort', abort);
      outcome();
    };
    const fail = (error: Error): void => settle(() => reject(error));
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) fail(tooLarge());
      else chunks.push(chunk);
    };
    const end = (): void => settle(() => resolve(Buffer.concat(chunks).toString('utf8')));
    const gone = (): void => fail(new NoReview(400, 'the request was broken off'));
    const abort = (): void => fail(signal.reason as Error);
    request.on('data', take).once('end', end).once('error', fail).once('close', gone);
    signal.addEventListener('abort', abort, { once: true });
  });
}

function tooLarge(): NoReview {
  return new NoReview(413, `the request is larger than ${MAX_BODY_BYTES} bytes`);
}

function parsed(text: string): Json {
  if (text === '') throw new NoReview(400, 'the request has no body; send a review');
  let document: Json;
  try {
    document = JSON.parse(text) as Json;
  } catch {
    // Without the parser's words, which quote the body: it may hold a Secret.
    throw new NoReview(400, `the body is no JSON that can be read; it has ${text.length} characters`);
  }
  try {
    // What comes after recurs into the document.
    checkNesting(document);
  } catch (error) {
    throw new NoReview(400, `the body cannot be read: ${textOf(error)}`);
  }
  return document;
}
