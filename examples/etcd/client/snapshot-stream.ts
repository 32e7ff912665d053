import { createHash, type Hash } from 'node:crypto';
import { countOf, objectOf } from './answers.js';
import { EtcdError } from './errors.js';
import { errorOf } from './gateway-calls.js';

const DIGEST_BYTES = 32;

/**
 * Checks a snapshot while it passes: it ends with the SHA-256 of all before. `etcdctl snapshot restore` checks the same.
 *
 * @example
 * ```ts
 * const check = new SnapshotCheck();
 * for await (const chunk of snapshot) check.add(chunk);
 * const { bytes, sha256 } = check.end();
 * ```
 */
export class SnapshotCheck {
  readonly #hash: Hash = createHash('sha256');
  /** The last bytes, which may be the digest. */
  #tail = Buffer.alloc(0);
  #bytes = 0;

  add(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    const all = Buffer.concat([this.#tail, chunk]);
    const cut = Math.max(0, all.length - DIGEST_BYTES);
    this.#hash.update(all.subarray(0, cut));
    this.#tail = all.subarray(cut);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @returns the size with the digest, and the digest as hexadecimal digits @throws EtcdError if the bytes are not those that etcd has sent */
  end(): { readonly bytes: number; readonly sha256: string } {
    const [expected, actual] = [this.#tail.toString('hex'), this.#hash.digest('hex')];
    if (this.#bytes <= DIGEST_BYTES || expected !== actual)
      throw new EtcdError(
        'InvalidAnswer',
        `the snapshot of ${this.#bytes} bytes is damaged: it ends with ${expected || 'nothing'}, its SHA-256 is ${actual}`,
      );
    return { bytes: this.#bytes, sha256: actual };
  }
}

/** The bytes of a snapshot from the lines of the gateway. @throws EtcdError for a stream that ends early or is damaged */
export async function* blobsOf(chunks: AsyncIterable<Buffer>, endpoint: string): AsyncGenerator<Uint8Array> {
  const check = new SnapshotCheck();
  let remaining = 0;
  for await (const line of linesOf(chunks)) {
    const json = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if (json['error'] !== undefined) throw errorOf(objectOf(json, 'error'), endpoint, false);
    const result = objectOf(json, 'result');
    remaining = countOf(result, 'remaining_bytes');
    const blob = Buffer.from(String(result['blob'] ?? ''), 'base64');
    check.add(blob);
    yield blob;
  }
  if (remaining > 0) throw new EtcdError('Timeout', `${endpoint}: the snapshot ended ${remaining} bytes early`, { endpoint });
  check.end();
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...parts, chunk.subarray(from, at)]).toString();
      parts = [];
      from = at + 1;
      if (line.trim() !== '') yield line;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  }
  const last = Buffer.concat(parts).toString();
  if (last.trim() !== '') yield last;
}

/** A snapshot, checked while it passes. @throws EtcdError at its end if it is damaged */
export async function* checkedSnapshot(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const check = new SnapshotCheck();
  for await (const chunk of chunks) {
    check.add(chunk);
    yield chunk;
  }
  check.end();
}
