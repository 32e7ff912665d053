import type { KindInfo } from '@keelson/kubernetes/apimachinery';

/**
 * Why a kind is not being watched.
 *
 * - `NotInstalled`: the server does not know the resource (yet): its CRD is missing (H28).
 * - `Forbidden`, `Unauthorized`: rights or credentials lack.
 * - `Busy`: the server asks to wait.
 * - `Expired`: history was lost; a list is on its way.
 * - `Unavailable`: no answer, a broken one, or an error of the server.
 * - `Silent`: a watch said nothing for longer than the server keeps it open.
 * - `Refused`: the server does not accept the request; it does not know the selector, or cannot watch this kind.
 */
export type ProblemReason = 'NotInstalled' | 'Forbidden' | 'Unauthorized' | 'Busy' | 'Expired' | 'Unavailable' | 'Silent' | 'Refused';

/** The reason why one kind is not up to date. It goes away by itself when the cause does. */
export interface CacheProblem {
  readonly kind: KindInfo;
  /** `undefined`: all namespaces. */
  readonly namespace?: string | undefined;
  readonly reason: ProblemReason;
  readonly message: string;
  /** When it began, on the clock's `monotonicMs`. */
  readonly sinceMs: number;
  /** False: nothing can be read yet, and the process is not ready. True: what is held grows old (H27). */
  readonly hasSynced: boolean;
}

/** Reports of a cache's work, for metrics. */
export interface CacheObserver {
  /** A complete list has been taken in. */
  listed?(kind: KindInfo, facts: { readonly objects: number; readonly durationMs: number; readonly isInitial: boolean }): void;
  /** A watch has been opened, or taken up again. */
  watching?(kind: KindInfo): void;
  failed?(kind: KindInfo, reason: ProblemReason): void;
  /** `count` changes of a type have gone to the listeners; those of a list all at once. */
  changed?(kind: KindInfo, type: 'added' | 'modified' | 'deleted', count: number): void;
  invalid?(kind: KindInfo): void;
}
