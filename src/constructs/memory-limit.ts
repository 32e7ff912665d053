import type { Construct } from 'constructs';
import { RUNTIME_CONTRACT } from '../definition/index.js';
import { ConstructError } from './construct-error.js';

const BYTES: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/**
 * Size of V8's old space, in MiB, for a container's memory limit: without a bound V8 sizes its heap by the node, and the kernel kills the process
 * before it ever collects.
 *
 * @throws ConstructError when the limit is no memory quantity
 */
export function heapMegabytes(scope: Construct, limit: string | number | undefined): number | undefined {
  if (limit === undefined) return undefined;
  const match = /^(\d+(?:\.\d+)?)(|k|M|G|T|Ki|Mi|Gi|Ti)$/.exec(String(limit));
  const bytes = match === null ? Number.NaN : Number(match[1]) * (BYTES[match[2] ?? ''] ?? Number.NaN);
  const megabytes = Math.floor((bytes * RUNTIME_CONTRACT.heapShareOfMemoryLimit) / 2 ** 20);
  if (megabytes >= 1) return megabytes;
  throw new ConstructError(
    scope,
    `resources.limits.memory '${limit}' is no amount of memory that a process can run in; write it like 256Mi`,
  );
}
