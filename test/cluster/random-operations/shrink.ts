import type { Difference } from './history.js';
import type { Operation } from './operations.js';

/** So often a shorter history is tried. */
const MOST_TRIES = 60;

export interface Shrunk {
  readonly operations: readonly Operation[];
  readonly difference: Difference;
}

/**
 * A shorter history that ends in a difference, too: first what was done to the same object only, then pieces are left out, from halves to single operations.
 *
 * @param playAgain in a namespace that is new each time
 */
export async function shrink(
  { operations, difference }: Shrunk,
  playAgain: (operations: readonly Operation[]) => Promise<Difference | undefined>,
): Promise<Shrunk> {
  let best: Shrunk = { operations: operations.slice(0, difference.at + 1), difference };
  let tries = 0;
  const better = async (candidate: readonly Operation[]): Promise<boolean> => {
    tries += 1;
    const found = await playAgain(candidate);
    if (found !== undefined) best = { operations: candidate.slice(0, found.at + 1), difference: found };
    return found !== undefined;
  };
  const target = best.operations.at(-1)?.target;
  await better(best.operations.filter((operation) => operation.target === target));
  for (let size = Math.ceil(best.operations.length / 2); size >= 1 && tries < MOST_TRIES; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start + size < best.operations.length && tries < MOST_TRIES; ) {
      const candidate = [...best.operations.slice(0, start), ...best.operations.slice(start + size)];
      if (!(await better(candidate))) start += size;
    }
  }
  return best;
}
