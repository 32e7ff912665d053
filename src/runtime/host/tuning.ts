import { millisecondsOf, type Span } from '@keelson/kubernetes/apimachinery';
import { type BackoffModel, type ControllerModel, type InstanceSelector, selectorProblem } from 'keelson/internal/definition';
import type { QueueBackoff } from '../queue/index.js';
import { StartOptionsError } from './errors.js';
import type { StartOptions } from './options.js';

export interface Tuning {
  readonly concurrency: number;
  readonly timeLimitMs: number;
  readonly resyncMs: number;
  readonly backoff?: QueueBackoff;
  readonly retries: number | undefined;
  readonly perMinute: number | undefined;
}

type Tuned = Pick<ControllerModel, 'name' | 'timeLimitMs' | 'concurrency' | 'backoff' | 'retries' | 'rate'>;

/** @throws StartOptionsError for what is not a number of workers and no time, and for controllers that the operator has not */
export function tuningOf({ name: controller, ...defined }: Tuned, { controllers = {}, ...all }: StartOptions): Tuning {
  // Settings of this controller precede those of all: here, then by its definition.
  const own = controllers[controller] ?? {};
  const concurrency = own.concurrency ?? defined.concurrency ?? all.concurrency ?? 10;
  const timeLimit = own.timeLimit ?? defined.timeLimitMs ?? all.timeLimit ?? '5m';
  const resync = own.resync ?? all.resync ?? '10h';
  const retries = own.retries ?? defined.retries ?? all.retries;
  const given: Waits = { ...all.backoff, ...millisOf(defined.backoff), ...own.backoff };
  const { perMinute } = own.rate ?? defined.rate ?? all.rate ?? {};
  if (perMinute !== undefined && !(Number.isInteger(perMinute) && perMinute > 0))
    throw new StartOptionsError(`controller ${controller}: rate.perMinute is ${String(perMinute)}; give a whole number from 1`);
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0))
    throw new StartOptionsError(`controller ${controller}: retries is ${String(retries)}; give a whole number from 0`);
  if (!(Number.isInteger(concurrency) && concurrency > 0)) {
    throw new StartOptionsError(`controller ${controller}: concurrency is ${String(concurrency)}; give a whole number from 1`);
  }
  return {
    concurrency,
    timeLimitMs: timeOf(timeLimit, `controller ${controller}: timeLimit`),
    resyncMs: timeOf(resync, `controller ${controller}: resync`),
    retries,
    perMinute,
    ...(given.first === undefined && given.most === undefined ? {} : { backoff: backoffOf(given, controller) }),
  };
}

interface Waits {
  readonly first?: Span | undefined;
  readonly most?: Span | undefined;
}

function backoffOf({ first, most }: Waits, controller: string): QueueBackoff {
  return {
    ...(first === undefined ? {} : { baseMs: timeOf(first, `controller ${controller}: backoff.first`) }),
    ...(most === undefined ? {} : { maxMs: timeOf(most, `controller ${controller}: backoff.most`) }),
  };
}

function millisOf({ firstMs, mostMs }: BackoffModel = {}): Waits {
  return { ...(firstMs === undefined ? {} : { first: firstMs }), ...(mostMs === undefined ? {} : { most: mostMs }) };
}

export function checkNames(known: readonly string[], { controllers = {} }: StartOptions): void {
  for (const name of Object.keys(controllers)) {
    if (!known.includes(name))
      throw new StartOptionsError(`controllers.${name}: the operator has no such controller; it has ${known.join(', ') || 'none'}`);
  }
}

/** @throws StartOptionsError for a selector that cannot be read, and for fields that the kinds of the controllers are not selected by */
export function checkSelectors(controllers: readonly ControllerModel[], selectors: InstanceSelector): void {
  const problem = selectorProblem(selectors, controllers);
  if (problem !== undefined) throw new StartOptionsError(`${problem.part} '${problem.found}': ${problem.message}`);
}

function timeOf(duration: Span, what: string): number {
  const ms = millisecondsOf(duration);
  if (ms === undefined || ms <= 0) throw new StartOptionsError(`${what} is ${String(duration)}; give a time such as 30s`);
  return ms;
}
