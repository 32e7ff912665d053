import type { Logger } from '../../definition/index.js';
import type { CacheObserver } from './problem.js';
import { textOf } from './text-of.js';

export type SafeObserver = Required<CacheObserver>;

/** An observer that has every method and never throws: metrics must not stop what they measure. */
export function safeObserver(observer: CacheObserver | undefined, log: Logger): SafeObserver {
  const guarded =
    <TArgs extends unknown[]>(tell: ((...args: TArgs) => void) | undefined) =>
    (...args: TArgs): void => {
      try {
        tell?.apply(observer, args);
      } catch (error) {
        log.error(`the observer of the cache failed: ${textOf(error)}`);
      }
    };
  return {
    listed: guarded(observer?.listed),
    watching: guarded(observer?.watching),
    failed: guarded(observer?.failed),
    changed: guarded(observer?.changed),
    invalid: guarded(observer?.invalid),
  };
}
