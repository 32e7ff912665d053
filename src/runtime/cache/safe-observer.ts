import type { Logger } from 'keelson/internal/definition';
import type { CacheObserver } from './problem.js';
import { textOf } from './text-of.js';

export type SafeObserver = Required<CacheObserver>;

/** An observer that has every method and never throws: metrics must not stop what they measure. */
export function safeObserver(observer: CacheObserver | undefined, log: Logger): SafeObserver {
  const guard = (tell: () => void): void => {
    try {
      tell();
    } catch (error) {
      log.error(`the observer of the cache failed: ${textOf(error)}`);
    }
  };
  return {
    listed: (kind, facts) => guard(() => observer?.listed?.(kind, facts)),
    watching: (kind) => guard(() => observer?.watching?.(kind)),
    failed: (kind, reason) => guard(() => observer?.failed?.(kind, reason)),
    changed: (kind, type, count) => guard(() => observer?.changed?.(kind, type, count)),
    invalid: (kind) => guard(() => observer?.invalid?.(kind)),
  };
}
