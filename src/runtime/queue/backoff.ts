export interface QueueBackoff {
  /** Wait before the second try. @defaultValue 20 */
  readonly baseMs?: number | undefined;
  /** Each further wait is so many times longer. @defaultValue 2 */
  readonly factor?: number | undefined;
  /** No wait is longer; tries go on for ever. @defaultValue 300000, 5 minutes */
  readonly maxMs?: number | undefined;
}

/** The wait after so many failures in a row, 1 being the first. */
export function backoffMs(failures: number, { baseMs = 20, factor = 2, maxMs = 300_000 }: QueueBackoff): number {
  return Math.min(baseMs * factor ** (failures - 1), maxMs);
}
