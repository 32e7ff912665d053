/**
 * Draws that depend on what is asked for and on nothing else: the n-th question of a name has the same answer in each run, in whatever order the names come. A
 * sequence of random numbers would give each request another fate as soon as two of them change places.
 */
export class Draws {
  readonly #seed: number;
  readonly #asked = new Map<string, number>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** In [0, 1). */
  next(name: string): number {
    const count = this.#asked.get(name) ?? 0;
    this.#asked.set(name, count + 1);
    return mixed(hashOf(`${this.#seed} ${count} ${name}`)) / 2 ** 32;
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

/** The finalizer of MurmurHash3: FNV alone leaves texts that end alike close together. */
function mixed(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
