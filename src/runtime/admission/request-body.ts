import type { IncomingMessage } from 'node:http';
import type { Json } from '@keelson/kubernetes/apimachinery';
import type { Clock } from '../clock/index.js';
import { BodyReader, MAX_BODY_BYTES, tooLarge } from './body-reader.js';
import { NoReview } from './errors.js';
import { jsonCost } from './json-cost.js';
import type { ReviewClaim, ReviewMemory } from './review-memory.js';

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

export interface BodyReading {
  readonly memory: ReviewMemory;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * The document that a request carries, and the memory that it has.
 *
 * Flow: chunks are counted as they arrive, and wait in the network while there is no room → the whole body is weighed → the document is parsed when there is
 * room for what it costs.
 * @throws NoReview, or the reason of the signal
 */
export async function readDocument(
  request: IncomingMessage,
  { memory, clock, signal }: BodyReading,
): Promise<{ readonly document: Json; readonly claim: ReviewClaim }> {
  const arrival = memory.arrivals.open();
  try {
    const body = await new BodyReader(request, { arrival, clock }).read(signal);
    const cost = jsonCost(body, memory.largest);
    if (cost.isTooDeep) throw new NoReview(400, 'the body cannot be read: it is nested too deeply');
    const claim = await memory.take(cost.bytes, signal);
    try {
      return { document: parsed(body), claim };
    } catch (error) {
      claim.release();
      throw error;
    }
  } finally {
    arrival.close();
  }
}

function parsed(body: Buffer): Json {
  if (body.length === 0) throw new NoReview(400, 'the request has no body; send a review');
  try {
    return JSON.parse(body.toString('utf8')) as Json;
  } catch {
    // Without the parser's words, which quote the body: it may hold a Secret.
    throw new NoReview(400, `the body is not JSON that can be read; it has ${body.length} bytes`);
  }
}
