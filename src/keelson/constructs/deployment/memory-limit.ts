import { isQuantity } from '@keelson/kubernetes/apimachinery';
import type { Construct } from 'constructs';
import { RUNTIME_CONTRACT } from '../../definition/index.js';
import { ConstructError } from '../object/index.js';

const FACTORS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/**
 * Size of V8's old space, in MiB, for a container's memory limit: without a bound V8 sizes its heap by the node, and the kernel kills the process
 * before it ever collects.
 *
 * @throws ConstructError when the limit is not a memory quantity
 */
export function heapMegabytes(scope: Construct, limit: string | number | undefined): number | undefined {
  if (limit === undefined) return undefined;
  const [, amount, suffix = ''] = (isQuantity(String(limit)) && /^([-+.\d]+(?:[eE][-+]?\d+)?)(\D*)$/.exec(String(limit))) || [];
  const bytes = Number(amount) * (FACTORS[suffix] ?? Number.NaN);
  const megabytes = Math.floor((bytes * RUNTIME_CONTRACT.heapShareOfMemoryLimit) / 2 ** 20);
  if (megabytes >= 1) return megabytes;
  throw new ConstructError(
    scope,
    `resources.limits.memory '${limit}' is not an amount of memory that a process can run in; write it like 256Mi`,
  );
}

/** V8's own bounds: less makes it collect all the time, more gains nothing. */
const SEMI_SPACE_MEGABYTES = { least: 2, most: 16 } as const;

/**
 * Node's settings for a container's memory limit: the size of the old space, and of a half of the young one.
 *
 * V8 sizes the young generation by the machine when only the old space is set: 16 MiB, three times, of which it fills all before it collects. Twice
 * what V8 takes by itself for a process that sees the limit: at 1 MiB, so much survives by chance that an operator at work needs a fifth more CPU.
 */
export function nodeOptions(heap: number): string {
  const { least, most } = SEMI_SPACE_MEGABYTES;
  return `--max-old-space-size=${heap} --max-semi-space-size=${Math.min(most, Math.max(least, Math.floor(heap / 96)))}`;
}
