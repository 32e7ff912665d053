import { type ConditionInput, merge } from 'keelson';
import type { EtcdBackup } from './etcd-backup.js';
import { dueOf, type Scheduled } from './schedule.js';
import type { TakenBackup } from './take-backup.js';

type Status = Omit<NonNullable<EtcdBackup['status']>, 'conditions'>;
type Backup = Pick<EtcdBackup, 'spec' | 'status'>;

/** A backup that is there, and when its work began. */
export interface FinishedBackup extends TakenBackup {
  readonly at: Date;
  /** Backups of the series that the store has now. */
  readonly kept?: number | undefined;
}

/** How often the progress of a backup is written. */
const PROGRESS_EVERY = '2s';

export function runningOutcome({ status = {} }: Backup, progress: string | undefined) {
  const part: Status = progress === undefined ? {} : { progress };
  return { status: merge<Status>(part), conditions: conditionsOf(status, true), requeueAfter: PROGRESS_EVERY } as const;
}

export function waitingOutcome({ status = {} }: Backup, due: Date | undefined) {
  return { conditions: conditionsOf(status, false), ...(due === undefined ? {} : { requeueAt: due }) };
}

export function succeededOutcome(backup: Scheduled, { at, kept, path, bytes, sha256, endpoint, ...taken }: FinishedBackup, now: Date) {
  const status: Status = {
    succeeded: true,
    etcdVersion: taken.version,
    etcdRevision: taken.revision,
    isQuorate: taken.isQuorate,
    lastSuccessDate: now.toISOString(),
    lastAttemptDate: at.toISOString(),
    lastBackup: { path, bytes, sha256, endpoint },
    ...(kept === undefined ? {} : { kept }),
  };
  const due = dueOf({ ...backup, status }, now);
  return { status, conditions: conditionsOf(status, false), ...(due === undefined ? {} : { requeueAt: due }) };
}

/** The backup that was made before stays, and stays in the status. It is tried again with growing pauses. */
export function failedOutcome({ status: last = {} }: Backup, error: unknown, now: Date) {
  const { conditions: _, progress: __, ...rest } = last;
  const status: Status = {
    ...rest,
    succeeded: false,
    Reason: error instanceof Error ? error.message : String(error),
    failures: (last.failures ?? 0) + 1,
    lastAttemptDate: now.toISOString(),
  };
  return { status, conditions: conditionsOf(status, false), retry: error };
}

/** `BackingUp` is there while it happens. */
function conditionsOf({ succeeded, Reason: reason, isQuorate, etcdRevision }: Status, isRunning: boolean): ConditionInput[] {
  const conditions: ConditionInput[] = [];
  if (succeeded === undefined) conditions.push({ type: 'Ready', status: 'Unknown', reason: 'BackingUp' });
  else if (succeeded) conditions.push({ type: 'Ready', status: true, reason: 'BackedUp', message: `revision ${etcdRevision} is saved` });
  else conditions.push({ type: 'Ready', status: false, reason: 'BackupFailed', message: reason ?? '' });
  if (isQuorate === true) conditions.push({ type: 'Consistent', status: true, reason: 'Quorum' });
  if (isQuorate === false) {
    const message = 'the members had no quorum: a write that was acknowledged may be missing';
    conditions.push({ type: 'Consistent', status: false, reason: 'NoQuorum', message });
  }
  if (isRunning) conditions.push({ type: 'BackingUp', status: true, reason: 'InProgress' });
  return conditions;
}
