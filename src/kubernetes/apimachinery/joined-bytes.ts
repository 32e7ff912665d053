/** From this size on a piece is kept as it is: a buffer of its own costs a fraction of what is in it. */
const LARGE = 1_024;
const ROOM = 16_384;

/**
 * A body that comes in pieces, in memory by its bytes and not by its pieces: a buffer of each of three million single bytes takes a gigabyte.
 *
 * Small pieces are copied together. The first piece stays as it is, since most bodies have no other.
 */
export class JoinedBytes {
  #pieces: Uint8Array[] = [];
  #room: Uint8Array | undefined;
  #used = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    const isFirst = this.#length === 0;
    this.#length += piece.length;
    if (isFirst || piece.length >= LARGE) {
      this.#close();
      this.#pieces.push(piece);
      return;
    }
    if (this.#used + piece.length > ROOM) this.#close();
    this.#room ??= new Uint8Array(ROOM);
    this.#room.set(piece, this.#used);
    this.#used += piece.length;
  }

  /** All that came since the last time, in pieces of which few are small. */
  take(): readonly Uint8Array[] {
    this.#close();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#length = 0;
    return pieces;
  }

  /** Small pieces get a buffer of their size. Otherwise a large piece behind each small one would keep a whole room. */
  #close(): void {
    if (this.#used === 0) return;
    this.#pieces.push((this.#room as Uint8Array).slice(0, this.#used));
    this.#used = 0;
  }
}
