/** The end of a run. Times are those of the server's clock. */
export interface End {
  readonly exitCode: number;
  readonly signal?: number;
  readonly reason: string;
  readonly message?: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly containerID: string;
}

interface Started {
  readonly image: string;
  readonly containerID: string;
  readonly startedAt: string;
}

/** The present run of a container, or its last one. */
export type Run =
  | { readonly type: 'none' }
  /** Its program is being chosen and started. */
  | { readonly type: 'starting' }
  /** It could not be made; tried again at `retryMs`, milliseconds since 1970. */
  | { readonly type: 'refused'; readonly reason: string; readonly message: string; readonly retryMs: number }
  | (Started & {
      readonly type: 'running';
      /** `true` if the startup probe has passed, and for a container without one. */
      readonly isStarted: boolean;
      /** As the readiness probe says. */
      readonly isReady: boolean;
      /** It was asked to end. */
      readonly isStopping: boolean;
    })
  | (Started & { readonly type: 'ended'; readonly end: End; readonly finishedMs: number });

export interface ContainerState {
  readonly run: Run;
  readonly restartCount: number;
  /** The end of the run before. */
  readonly last: End | undefined;
  /** Pause before the next start, counted from the end of the run. */
  readonly pauseMs: number;
}

export const UNKNOWN: ContainerState = { run: { type: 'none' }, restartCount: 0, last: undefined, pauseMs: 0 };

/** First pause before a restart, and the longest: each is twice the one before. Source: `backOffPeriod` and `MaxContainerBackOff` of the kubelet. */
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 300_000;

/** The pause that counts at the end of a run: one of twice the longest pause or more begins anew, and the container starts again at once. */
export function pauseAfterRun(pauseMs: number, ranMs: number): number {
  return ranMs >= 2 * LONGEST_PAUSE_MS ? 0 : pauseMs;
}

/** The pause after another restart. */
export function nextPauseMs(pauseMs: number): number {
  return pauseMs === 0 ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
}
