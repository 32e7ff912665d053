import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A process's heap, in bytes. */
export interface Heap {
  readonly limit: number;
  /** Values that are not needed any more are counted until they are collected. */
  readonly used: number;
}

export interface HeapMeter {
  statistics(): Heap;
  /** Collects what is not needed any more. `false` when it did so a moment ago. */
  collect(): boolean;
}

/** A collection of 180 MiB takes some 100 ms: under attack it must not become the attack. It may have a tenth of the time. */
const COLLECTION = { leastIntervalMs: 500, intervalPerDuration: 10 } as const;

/** The heap of this process. */
export class V8Heap implements HeapMeter {
  #collect: (() => void) | undefined;
  #notBeforeMs = Number.NEGATIVE_INFINITY;

  statistics(): Heap {
    const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
    // Bodies are beside the heap, in the same container, and V8 gives them back when it collects.
    return { limit, used: used + process.memoryUsage().arrayBuffers };
  }

  /** V8 collects by itself when it needs room, but only a collection shows how much there is: without it, a review could be refused because of garbage. */
  collect(): boolean {
    const startedMs = performance.now();
    if (startedMs < this.#notBeforeMs) return false;
    this.#collect ??= collector();
    this.#collect();
    const endedMs = performance.now();
    this.#notBeforeMs = endedMs + Math.max(COLLECTION.leastIntervalMs, (endedMs - startedMs) * COLLECTION.intervalPerDuration);
    return true;
  }
}

/** V8 shows its collector to contexts that are made while the flag is set. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
