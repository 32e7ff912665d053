import { chmodSync, closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs';

/** A hosts file that programs have mounted: it stays the same file while its text changes. */
export class HostsFile {
  readonly path: string;
  #written: string;

  constructor(path: string, text: string) {
    this.path = path;
    this.#written = text;
    writeFileSync(path, text);
    // Programs of root may go on as other users; the mask of the server is not theirs.
    chmodSync(path, 0o644);
  }

  /**
   * Replaces the text in one write. A shorter text is filled up with empty lines before the end is cut off: a program that reads in between finds no half of a line there,
   * which would be another address.
   */
  write(text: string): void {
    if (text === this.#written) return;
    const bytes = Buffer.from(text);
    const filled = Buffer.alloc(Math.max(bytes.length, Buffer.byteLength(this.#written)), '\n');
    bytes.copy(filled);
    const file = openSync(this.path, 'r+');
    try {
      for (let done = 0; done < filled.length; ) done += writeSync(file, filled, done, filled.length - done, done);
      ftruncateSync(file, bytes.length);
    } finally {
      closeSync(file);
    }
    this.#written = text;
  }
}
