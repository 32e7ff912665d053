import { type Duration, millisecondsOf } from '../../kubernetes/index.js';
import { StartOptionsError } from './errors.js';
import type { StartOptions } from './options.js';

export interface Tuning {
  readonly concurrency: number;
  readonly timeLimitMs: number;
  readonly resyncMs: number;
}

/** @throws StartOptionsError for what is no number of workers and no time, and for controllers that the operator has not */
export function tuningOf(controller: string, { controllers = {}, ...all }: StartOptions): Tuning {
  const own = { ...all, ...controllers[controller] };
  const { concurrency = 10, timeLimit = '5m', resync = '10h' } = own;
  if (!(Number.isInteger(concurrency) && concurrency > 0)) {
    throw new StartOptionsError(`controller ${controller}: concurrency is ${String(concurrency)}; give a whole number from 1`);
  }
  return {
    concurrency,
    timeLimitMs: timeOf(timeLimit, `controller ${controller}: timeLimit`),
    resyncMs: timeOf(resync, `controller ${controller}: resync`),
  };
}

export function checkNames(known: readonly string[], { controllers = {} }: StartOptions): void {
  for (const name of Object.keys(controllers)) {
    if (!known.includes(name))
      throw new StartOptionsError(`controllers.${name}: the operator has no such controller; it has ${known.join(', ') || 'none'}`);
  }
}

function timeOf(duration: Duration, what: string): number {
  const ms = typeof duration === 'string' ? millisecondsOf(duration) : undefined;
  if (ms === undefined || ms <= 0) throw new StartOptionsError(`${what} is ${String(duration)}; give a time such as 30s`);
  return ms;
}
