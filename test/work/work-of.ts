const TEXT = JSON.stringify(Array.from({ length: 2_000 }, (_, index) => ({ name: `n${index}`, values: [index, `${index}`, true] })));
const REPEATS = 5;

/** CPU time that this process has used so far, in milliseconds: unlike the time of day it does not pass while others have the machine. */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** @returns the CPU time that a task takes, in milliseconds */
export function cpuMs(task: () => void): number {
  const startMs = cpuTimeMs();
  task();
  return cpuTimeMs() - startMs;
}

/** Parses and writes a text of 90 kB: about a millisecond's work. */
function unit(): void {
  JSON.stringify(JSON.parse(TEXT));
}

/** The least that the unit has cost so far: the first runs are not compiled yet. */
let unitMs = Number.POSITIVE_INFINITY;

/**
 * What a task costs, as a multiple of a fixed piece of work of about a millisecond, done in the same process.
 * A ratio holds on a slow machine and on a busy one, where a limit in milliseconds fails for no fault of the code.
 */
export function workOf(task: () => void): number {
  const cost = cpuMs(task);
  for (let left = unitMs === Number.POSITIVE_INFINITY ? REPEATS : 1; left > 0; left -= 1) unitMs = Math.min(unitMs, cpuMs(unit));
  return cost / Math.max(0.1, unitMs);
}
