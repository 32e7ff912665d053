import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);
const known = new WeakMap<Uint8Array, Promise<Uint8Array>>();

/** The compressed form of bytes that many clients read: it is made once, and lives as long as the bytes do. */
export function sharedGzip(bytes: Uint8Array): Promise<Uint8Array> {
  const found = known.get(bytes);
  if (found !== undefined) return found;
  const made = compress(bytes, { level: 1 });
  known.set(bytes, made);
  return made;
}
