/** Numbers in [0, 1): the same in every run with this seed. */
export function draws(seed: number): () => number {
  // Neighbouring seeds must not begin alike.
  let state = Math.imul(seed + 1, 0x9e37_79b1) >>> 0;
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
