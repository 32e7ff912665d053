import { defineController, read, settings } from 'keelson';
import { Secret } from 'keelson/kinds';
import { z } from 'zod';
import type { EtcdTarget } from '../client/api.js';
import { etcd } from '../client/api.js';
import { EtcdBackup } from './etcd-backup.js';
import { countOf, expired, seriesName, seriesPrefix } from './retention.js';
import { dueOf, timeoutMsOf, workKeys } from './schedule.js';
import { type Place, placeOf, SourceError, tlsOf } from './sources.js';
import { failedOutcome, runningOutcome, succeededOutcome, waitingOutcome } from './status.js';
import { stores } from './store.js';
import { takeBackup } from './take-backup.js';

export const backupConfig = settings(
  z.object({ directory: z.string().default('/var/lib/etcd-backups').describe('Folder for backups of the storage type Directory.') }),
  { prefix: 'ETCD_BACKUP_' },
);

/** Inputs of the work, by object. Background functions get the object alone: Secrets are read in the run that starts it. */
const sources = new WeakMap<object, { readonly place: Place; readonly target: EtcdTarget }>();

// #region controller
/** Makes backups, one at a time for each object, and keeps as many as the spec says. */
export const etcdBackupController = defineController({
  name: 'etcd-backup',
  for: EtcdBackup,
  uses: { etcd, stores, backupConfig },
  reads: { secrets: read(Secret, { verbs: ['get'] }) },
  background: {
    async backup({ object, etcd, stores, signal, progress, now }) {
      const source = sources.get(object);
      if (source === undefined) throw new Error('the work was started without its sources');
      return within(timeoutMsOf(object), signal, async (limit) => {
        const { location, path } = source.place;
        const { backupPolicy: policy } = object.spec;
        const isSeries = policy.backupIntervalInSecond > 0;
        const at = now();
        const nameOf = (revision: number): string => (isSeries ? seriesName(path, revision, at) : path);
        const taken = await takeBackup({ etcd, stores, target: source.target, location, nameOf, signal: limit, progress });
        if (!isSeries) return { ...taken, at };
        for (const name of expired(path, await stores.list(location, seriesPrefix(path), { signal: limit }), policy, now()))
          await stores.remove(location, name, { signal: limit });
        return { ...taken, at, kept: countOf(path, await stores.list(location, seriesPrefix(path), { signal: limit })) };
      });
    },
  },
  async reconcile({ object, secrets, backup, backupConfig, now, events, done }) {
    const { current, older } = workKeys(object);
    for (const key of older) backup.cancel(key);
    let state = backup.state(current);
    if (state.phase === 'absent') {
      const due = dueOf(object, now());
      if (due === undefined || due > now()) return done(waitingOutcome(object, due));
      try {
        const getSecret = (name: string) => secrets.get(name);
        const tls = await tlsOf(object.spec.clientTLSSecret, getSecret);
        const place = await placeOf(object.spec, backupConfig.directory, getSecret);
        sources.set(object, { place, target: { endpoints: object.spec.etcdEndpoints, tls } });
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        return done(failedOutcome(object, error, now()));
      }
      state = backup.start(current);
    }
    switch (state.phase) {
      case 'running':
        return done(runningOutcome(object, state.progress));
      case 'done':
        events.normal('BackedUp', `saved revision ${state.result.revision} as ${state.result.path}`);
        return done(succeededOutcome(object, state.result, now()));
      case 'failed':
        events.warning('BackupFailed', messageOf(state.error));
        return done(failedOutcome(object, state.error, now()));
      default:
        // Ended by a change that came and went, or still ending: forgotten, so that it can begin anew.
        backup.cancel(current);
        return done({ requeueAfter: '1s' });
    }
  },
});
// #endregion

/** Ends the work at a time limit, with an error that says so. */
async function within<T>(limitMs: number, signal: AbortSignal, act: (limit: AbortSignal) => Promise<T>): Promise<T> {
  const late = AbortSignal.timeout(limitMs);
  try {
    return await act(AbortSignal.any([signal, late]));
  } catch (error) {
    if (late.aborted && !signal.aborted) throw new Error(`the backup was not done within ${limitMs / 1_000} s`, { cause: error });
    throw error;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
