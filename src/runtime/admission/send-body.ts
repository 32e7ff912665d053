import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';

/**
 * Bytes that a connection gets at once. TLS keeps a buffer as large as the largest write for as long as the connection lives (NodeBIO, of Node's src/crypto/crypto_bio.cc): a
 * client with a few dozen idle connections would hold the memory of as many large answers.
 */
const PART_BYTES = 64 * 1024;

/** Ends the response with this body, no faster than the client takes it. A client may go meanwhile. */
export function sendBody(response: ServerResponse, body: Buffer): void {
  if (body.length <= PART_BYTES) response.end(body);
  else pipeline(Readable.from(partsOf(body)), response, () => undefined);
}

function* partsOf(body: Buffer): Generator<Buffer> {
  for (let start = 0; start < body.length; start += PART_BYTES) yield body.subarray(start, start + PART_BYTES);
}
