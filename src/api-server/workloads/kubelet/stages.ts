/** Points at which a test can hold Pods back: before they are put on a node, run, become ready, complete, or (being deleted) before their grace is over. */
export type Stage = 'completed' | 'gone' | 'ready' | 'running' | 'scheduled';

/** How long Pods take, in milliseconds of the server's clock. */
export interface PodTiming {
  /** From the node to running. */
  readonly startAfterMs: number;
  /** From running to ready. */
  readonly readyAfterMs: number;
  /** From running to success, of Pods of Jobs; undefined: only when the test says so. */
  readonly completeAfterMs: number | undefined;
  /** From the deletion to the end of the containers; at most the grace period. */
  readonly stopAfterMs: number;
}
