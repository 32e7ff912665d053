import { createHash } from 'node:crypto';
import type { EtcdApi, EtcdStatus, EtcdTarget } from '../client/api.js';
import { isEtcdError } from '../client/errors.js';
import { SnapshotCheck } from '../client/snapshot-stream.js';
import type { BackupLocation, BackupStores } from './store.js';

export interface BackupJob {
  readonly etcd: EtcdApi;
  readonly stores: BackupStores;
  readonly target: EtcdTarget;
  readonly location: BackupLocation;
  readonly nameOf: (revision: number) => string;
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
}

export interface TakenBackup {
  readonly path: string;
  readonly bytes: number;
  /** Digest of the whole file, as hexadecimal digits. */
  readonly sha256: string;
  readonly endpoint: string;
  readonly version: string;
  /** The backup has all writes up to this one at least. */
  readonly revision: number;
  /** The members had a quorum: no write that was acknowledged before the backup is missing. */
  readonly isQuorate: boolean;
}

const MEBIBYTE = 1_024 * 1_024;
const BARRIER_MS = 3_000;

// #region take
/**
 * Sends a snapshot of the member with the newest data to the store, and reads it back.
 *
 * Guarantees: when it resolves, the store has the bytes that etcd has sent, by their hash. With a quorum they hold every write that was acknowledged before.
 */
export async function takeBackup(job: BackupJob): Promise<TakenBackup> {
  const { etcd, target, nameOf, signal, progress } = job;
  const { endpoint, version } = await newestOf(job);
  const one = { ...target, endpoints: [endpoint] };
  // A follower may lag behind. After a read through the quorum it has what was acknowledged before.
  const isQuorate = await etcd.range(one, '\0', { signal, timeoutMs: BARRIER_MS }).then(
    () => true,
    (error: unknown) => {
      if (isEtcdError(error, 'Timeout') || isEtcdError(error, 'Unavailable')) return false;
      throw error;
    },
  );
  const { revision } = await etcd.status(one, { signal });
  const path = nameOf(revision);
  const sent = await send(job, one, path);
  progress(`verifying ${sent.bytes} bytes`);
  await verify(job, path, sent);
  return { path, ...sent, endpoint, version, revision, isQuorate };
}
// #endregion

interface Seen extends EtcdStatus {
  readonly endpoint: string;
}

/** The member with the highest revision. A learner gives no snapshot. */
async function newestOf({ etcd, target, signal }: BackupJob): Promise<Seen> {
  const failures: string[] = [];
  const asked = await Promise.all(
    target.endpoints.map(async (endpoint): Promise<readonly Seen[]> => {
      try {
        return [{ ...(await etcd.status({ ...target, endpoints: [endpoint] }, { signal })), endpoint }];
      } catch (error) {
        signal.throwIfAborted();
        failures.push(error instanceof Error ? error.message : String(error));
        return [];
      }
    }),
  );
  const seen = asked.flat();
  const clusters = new Set(seen.map(({ clusterId }) => clusterId));
  if (clusters.size > 1)
    throw new Error(
      `the endpoints are of ${clusters.size} clusters: ${seen.map((member) => `${member.endpoint} of ${member.clusterId}`).join(', ')}`,
    );
  const [newest] = seen.filter(({ isLearner }) => !isLearner).sort((a, b) => b.revision - a.revision);
  if (newest !== undefined) return newest;
  throw new Error(
    failures.length === 0 ? 'all endpoints are of learners, which give no snapshot' : `no endpoint answers: ${failures.sort().join('; ')}`,
  );
}

interface Sent {
  readonly bytes: number;
  readonly sha256: string;
}

async function send({ etcd, stores, location, signal, progress }: BackupJob, one: EtcdTarget, path: string): Promise<Sent> {
  const hash = createHash('sha256');
  const check = new SnapshotCheck();
  const snapshot = await etcd.snapshot(one, { signal });
  const passed = async function* (): AsyncGenerator<Uint8Array> {
    let told = 0;
    for await (const chunk of snapshot) {
      hash.update(chunk);
      check.add(chunk);
      if (check.bytes - told >= MEBIBYTE) {
        told = check.bytes;
        progress(`${told} bytes sent`);
      }
      yield chunk;
    }
    // Before the last byte is stored: a damaged snapshot must not take the place of a good backup.
    check.end();
  };
  await stores.write(location, path, passed(), { signal });
  return { bytes: check.bytes, sha256: hash.digest('hex') };
}

/** Reads a backup back. One that is not what was sent is removed: it must not be taken for a backup. */
async function verify({ stores, location, signal }: BackupJob, path: string, sent: Sent): Promise<void> {
  const stored = await digestOf(await stores.read(location, path, { signal }));
  if (stored.bytes === sent.bytes && stored.sha256 === sent.sha256) return;
  await stores.remove(location, path, { signal });
  throw new Error(
    `the store has other bytes than etcd has sent: ${stored.bytes} with SHA-256 ${stored.sha256}, sent were ${sent.bytes} with ${sent.sha256}`,
  );
}

/** Size and SHA-256 of a stream. */
export async function digestOf(chunks: AsyncIterable<Uint8Array>): Promise<Sent> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
