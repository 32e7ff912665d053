import { compareUtf8 } from '@keelson/kubernetes/apimachinery';
import type { Entry } from './version.js';

/** Chunks of this size keep both the search among chunks and the shift inside one short (with 100,000 entries 64 to 1024 measure alike; one array makes a write ten times dearer). */
const CHUNK_SIZE = 512;

/** The entries of one resource, in the byte order of their paths. */
export class OrderedEntries {
  readonly #byPath = new Map<string, Entry>();
  /** Sorted, none empty. */
  readonly #chunks: Entry[][] = [];

  get size(): number {
    return this.#byPath.size;
  }

  get(path: string): Entry | undefined {
    return this.#byPath.get(path);
  }

  /** The path must be new. */
  insert(entry: Entry): void {
    this.#byPath.set(entry.path, entry);
    const index = Math.min(this.#chunkOf(entry.path), this.#chunks.length - 1);
    const chunk = this.#chunks[index];
    if (chunk === undefined) {
      this.#chunks.push([entry]);
      return;
    }
    chunk.splice(positionIn(chunk, entry.path), 0, entry);
    if (chunk.length > CHUNK_SIZE) this.#chunks.splice(index + 1, 0, chunk.splice(CHUNK_SIZE / 2));
  }

  remove(entry: Entry): void {
    if (!this.#byPath.delete(entry.path)) return;
    const index = this.#chunkOf(entry.path);
    const chunk = this.#chunks[index];
    if (chunk === undefined) return;
    chunk.splice(positionIn(chunk, entry.path), 1);
    if (chunk.length === 0) this.#chunks.splice(index, 1);
  }

  /** Visits the entries from `path` on, until `visit` returns false. */
  scan(path: string, visit: (entry: Entry) => boolean): void {
    let index = this.#chunkOf(path);
    let position = positionIn(this.#chunks[index] ?? [], path);
    for (let chunk = this.#chunks[index]; chunk !== undefined; chunk = this.#chunks[index]) {
      for (let entry = chunk[position]; entry !== undefined; entry = chunk[position]) {
        if (!visit(entry)) return;
        position += 1;
      }
      index += 1;
      position = 0;
    }
  }

  /** The first chunk whose last path is not before `path`. */
  #chunkOf(path: string): number {
    return firstIndex(this.#chunks.length, (index) => {
      const last = this.#chunks[index]?.at(-1);
      return last !== undefined && compareUtf8(last.path, path) >= 0;
    });
  }
}

function positionIn(chunk: readonly Entry[], path: string): number {
  return firstIndex(chunk.length, (index) => compareUtf8(chunk[index]?.path ?? '', path) >= 0);
}

/** The first index for which `holds`, which from there on holds for all; `length` if for none. */
export function firstIndex(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
