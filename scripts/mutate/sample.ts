import { createHash } from 'node:crypto';

/**
 * Draws mutants: each gets a number from the seed and its own key, and those with the smallest numbers are the sample. A larger sample therefore contains the
 * smaller one of the same seed, and a change of one file leaves the draw of the others as it was.
 */
export function drawn(keys: readonly string[], { size, seed }: { readonly size: number; readonly seed: number }): readonly string[] {
  const lot = (key: string): string => createHash('sha256').update(`${seed} ${key}`).digest('hex');
  return keys
    .map((key) => ({ key, lot: lot(key) }))
    .sort((one, other) => (one.lot < other.lot ? -1 : 1))
    .slice(0, size)
    .map(({ key }) => key);
}

export interface Stratum {
  /** Mutants that the folder has in all. */
  readonly all: number;
  readonly sampled: number;
  readonly noticed: number;
}

export interface Estimate {
  /** Percent. */
  readonly share: number;
  /** Percent: the bounds within which 95 of 100 such samples have the true share. */
  readonly from: number;
  readonly to: number;
}

/** Standard errors to each side that hold 95 % of a normal distribution. */
const Z = 1.96;

/**
 * The share of noticed mutants in all folders together, from a sample of each: folders count by their size, not by the size of their samples. A folder whose sample is
 * perfect is not thereby certain: two imagined noticed and two unnoticed mutants (Agresti and Coull) keep its spread above nothing. A folder that was tried whole adds no doubt.
 */
export function estimateOf(strata: readonly Stratum[]): Estimate {
  const total = strata.reduce((sum, { all }) => sum + all, 0);
  let [share, centre, variance] = [0, 0, 0];
  for (const { all, sampled, noticed } of strata) {
    if (all === 0) continue;
    if (sampled === 0) throw new Error('a folder with mutants has none in its sample: its share is unknown');
    const weight = all / total;
    const seen = noticed / sampled;
    const careful = sampled === all ? seen : (noticed + 2) / (sampled + 4);
    share += weight * seen;
    centre += weight * careful;
    variance += weight ** 2 * ((careful * (1 - careful)) / (sampled + 4)) * (1 - sampled / all);
  }
  const margin = Z * Math.sqrt(variance);
  return {
    share: 100 * share,
    from: 100 * Math.max(0, Math.min(share, centre - margin)),
    to: 100 * Math.min(1, Math.max(share, centre + margin)),
  };
}
