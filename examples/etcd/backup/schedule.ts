import type { EtcdBackup } from './etcd-backup.js';

/** As much of an EtcdBackup as its times follow from. */
export interface Scheduled extends Pick<EtcdBackup, 'spec' | 'status'> {
  readonly metadata: { readonly generation?: number | undefined };
}

/** After a failure; doubled with each that follows. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;

// #region due
/**
 * When the next backup is due; undefined for one that is made once, and is made.
 *
 * It follows from the status, so a process that is restarted neither begins the interval anew nor makes a backup that was made already. One that has failed is
 * tried again after growing pauses, or at once with another spec.
 */
export function dueOf(backup: Scheduled, now: Date): Date | undefined {
  const { spec, status = {} } = backup;
  const { backupIntervalInSecond: interval } = spec.backupPolicy;
  const { lastAttemptDate, succeeded, failures = 1 } = status;
  if (lastAttemptDate === undefined || succeeded === undefined) return now;
  if (!succeeded && isNew(backup)) return now;
  if (succeeded && interval === 0) return undefined;
  const pauseMs = succeeded ? interval * 1_000 : Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
  const due = new Date(new Date(lastAttemptDate).getTime() + pauseMs);
  return due < now ? now : due;
}
// #endregion

/** The spec is another than that which the status is about. */
function isNew({ metadata, status }: Scheduled): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.observedGeneration !== metadata.generation;
}

const DEFAULT_TIMEOUT_SECONDS = 60;

export function timeoutMsOf({ spec }: Pick<Scheduled, 'spec'>): number {
  return (spec.backupPolicy.timeoutInSecond || DEFAULT_TIMEOUT_SECONDS) * 1_000;
}

/** Keys of older specs for the same backup that are looked for: work of one that was changed is ended. */
const MOST_OLDER = 15;

/**
 * The work of a backup: another one for each attempt, and for each spec.
 *
 * The date of the last attempt alone does not distinguish attempts: one may fail, and the next succeed, within a millisecond. The failures before it therefore
 * count, too.
 */
export function workKeys({ metadata: { generation = 1 }, status }: Pick<Scheduled, 'metadata' | 'status'>): {
  readonly current: string;
  readonly older: readonly string[];
} {
  const { lastAttemptDate = 'first', failures = 0 } = status ?? {};
  const keyOf = (of: number): string => `${lastAttemptDate} ${failures} ${of}`;
  const older = Array.from({ length: Math.min(MOST_OLDER, generation - 1) }, (_, index) => keyOf(generation - 1 - index));
  return { current: keyOf(generation), older };
}
