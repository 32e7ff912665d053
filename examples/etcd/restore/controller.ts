import { type ConditionInput, type ContextOf, type Done, declareAccess, defineController, merge, read, settings, watch } from 'keelson';
import { PersistentVolumeClaim, Pod, Secret } from 'keelson/kinds';
import { z } from 'zod';
import { backupConfig } from '../backup/controller.js';
import { type Place, placeOf, SourceError } from '../backup/sources.js';
import { stores } from '../backup/store.js';
import { digestOf } from '../backup/take-backup.js';
import { checkedSnapshot } from '../client/snapshot-stream.js';
import { EtcdCluster } from '../cluster/etcd-cluster.js';
import { EtcdRestore } from './etcd-restore.js';
import { offers } from './offers.js';
import { doneMark, RESTORE_ANNOTATION, stepOf } from './plan.js';
import { seedClaim, seedPod } from './seed.js';

export const restoreConfig = settings(
  z.object({
    url: z
      .string()
      .default('http://etcd-backup-operator-backups.etcd-backup-system.svc:19999')
      .describe('Where the Pods of restored clusters reach this operator: the Service of its endpoint.'),
  }),
  { prefix: 'ETCD_RESTORE_' },
);

/** Inputs of background work, by object: it gets the object alone, and Secrets are read in the run that starts it. */
const places = new WeakMap<object, Place>();

function placeFor(object: object): Place {
  const place = places.get(object);
  if (place === undefined) throw new Error('the work was started without its source');
  return place;
}

const sameName = ({ metadata: { name, namespace } }: EtcdCluster) => [{ name: name ?? '', namespace }];
const ofLabel = ({ metadata: { labels, namespace } }: Pod) => {
  const name = labels?.['etcd_cluster'];
  return name === undefined ? [] : [{ name, namespace }];
};

// #region access
const access = declareAccess({
  for: EtcdRestore,
  uses: { stores, offers, restoreConfig, backupConfig },
  reads: { secrets: read(Secret, { verbs: ['get'] }) },
  watches: {
    clusters: watch(EtcdCluster, { verbs: ['create', 'patch', 'delete'], enqueue: sameName }),
    pods: watch(Pod, { verbs: ['create'], select: { labels: { app: 'etcd' } }, enqueue: ofLabel }),
    claims: watch(PersistentVolumeClaim, { verbs: ['create'], select: { labels: { app: 'etcd' } } }),
  },
  background: {
    /** Reads the backup to its end: a damaged one must not cost the cluster that is there. */
    async check({ object, stores, signal }) {
      const { location, path } = placeFor(object);
      return digestOf(checkedSnapshot(await stores.read(location, path, { signal })));
    },
  },
});
// #endregion

type RestoreContext = ContextOf<typeof access>;

/** Between two steps that the status separates. */
const AT_ONCE = '100ms';

// #region reconcile
async function reconcile(context: RestoreContext): Promise<Done> {
  const { object, clusters, pods, claims, offers, events, restoreConfig, done } = context;
  const { name } = object.spec.etcdCluster;
  const cluster = clusters.get(name);
  const step = stepOf(object, cluster, pods.list());
  switch (step.do) {
    case 'nothing':
      offers.withdraw(object.metadata.uid);
      return done({ status: merge({ succeeded: true, reason: undefined, phase: 'Restored' }), conditions: [ready(true, 'Restored')] });
    case 'refuse':
      return done({ status: merge({ succeeded: false, reason: step.reason }), conditions: [ready(false, 'Refused', step.reason)] });
    case 'wait':
      return done({ status: merge({ succeeded: false, reason: step.reason }), conditions: [ready(false, 'Waiting', step.reason)] });
    case 'verify':
      return verify(context);
    case 'record': {
      const { uid, labels, annotations } = step.cluster.metadata;
      // Written before anything is deleted: the next run sees it.
      const replaced = {
        uid,
        ...(labels === undefined ? {} : { labels }),
        ...(annotations === undefined ? {} : { annotations }),
        spec: { ...step.cluster.spec },
      };
      return done({
        status: merge({ phase: 'Deleting', replaced, reason: undefined }),
        conditions: [ready(false, 'Deleting')],
        requeueAfter: AT_ONCE,
      });
    }
    case 'delete-cluster':
      // In the foreground: members of the old cluster have the labels of the new one, and its Services.
      if (step.cluster.metadata.deletionTimestamp === undefined)
        await clusters.delete(step.cluster, { uid: step.cluster.metadata.uid, propagationPolicy: 'Foreground' });
      return done({ conditions: [ready(false, 'Deleting')], requeueAfter: '1s' });
    case 'create-cluster':
      await clusters.create(remade(object));
      return done({ status: merge({ phase: 'Restoring' }), conditions: [ready(false, 'Restoring')], requeueAfter: AT_ONCE });
    case 'create-seed': {
      await offer(context);
      const claim = seedClaim(step.cluster);
      if (claim !== undefined && claims.get(claim.metadata.name ?? '') === undefined) await claims.create(claim);
      const from = { url: `${restoreConfig.url}/v1/backup/${object.metadata.uid}`, sha256: object.status?.backup?.sha256 ?? '' };
      await pods.create(seedPod(step.cluster, from));
      return done({ conditions: [ready(false, 'Restoring')], requeueAfter: '1s' });
    }
    case 'await-seed':
      await offer(context);
      return done({ conditions: [ready(false, 'Restoring', 'the first member starts')], requeueAfter: '5s' });
    case 'release': {
      const paused = object.status?.replaced?.spec['paused'] === true;
      await clusters.patch(step.cluster, { metadata: { annotations: { [RESTORE_ANNOTATION]: doneMark(object) } }, spec: { paused } });
      offers.withdraw(object.metadata.uid);
      events.normal('Restored', `EtcdCluster ${name} serves the backup`);
      return done({ status: merge({ succeeded: true, reason: undefined, phase: 'Restored' }), conditions: [ready(true, 'Restored')] });
    }
  }
}
// #endregion

export const etcdRestoreController = defineController({ name: 'etcd-restore', ...access, reconcile });

async function verify(context: RestoreContext): Promise<Done> {
  const { object, check, done } = context;
  const key = `${object.metadata.generation}`;
  let state = check.state(key);
  if (state.phase === 'absent') {
    const problem = await placed(context);
    if (problem !== undefined) return failed(context, problem);
    state = check.start(key);
  }
  switch (state.phase) {
    case 'done':
      return done({
        status: merge({ backup: state.result, reason: undefined }),
        conditions: [ready(false, 'Verified')],
        requeueAfter: AT_ONCE,
      });
    case 'failed':
      check.cancel(key);
      return failed(context, state.error);
    case 'running':
      return done({ status: merge({ phase: 'Verifying' }), conditions: [ready(false, 'Verifying')] });
    default:
      check.cancel(key);
      return done({ requeueAfter: '1s' });
  }
}

function failed({ done }: RestoreContext, error: unknown): Done {
  const reason = error instanceof Error ? error.message : String(error);
  return done({ status: merge({ succeeded: false, reason }), conditions: [ready(false, 'BackupUnusable', reason)], retry: error });
}

/** Remembers where the backup is. @returns why it cannot be read */
async function placed({ object, secrets, backupConfig }: RestoreContext): Promise<SourceError | undefined> {
  const { backupStorageType: storageType, s3, directory } = object.spec;
  try {
    places.set(object, await placeOf({ storageType, s3, directory }, backupConfig.directory, (name) => secrets.get(name)));
    return undefined;
  } catch (error) {
    if (error instanceof SourceError) return error;
    throw error;
  }
}

/** For longer than the pause between two runs that wait for the Pod. */
const OFFER_MS = 60_000;

/** The Pod can fetch the backup from this process. */
async function offer(context: RestoreContext): Promise<void> {
  const { object, offers, now } = context;
  const problem = await placed(context);
  if (problem !== undefined) throw problem;
  const until = new Date(now().getTime() + OFFER_MS);
  offers.make(object.metadata.uid, { ...placeFor(object), bytes: object.status?.backup?.bytes ?? 0, until });
}

/** The cluster as it was. It is paused: the operator would make a first member without data. */
function remade({ metadata: { name, uid }, status }: RestoreContext['object']) {
  const { labels, annotations, spec = {} } = status?.replaced ?? {};
  return EtcdCluster({
    metadata: { name, ...(labels === undefined ? {} : { labels }), annotations: { ...annotations, [RESTORE_ANNOTATION]: uid } },
    spec: { ...(spec as Parameters<typeof EtcdCluster>[0]['spec']), paused: true },
  });
}

function ready(status: boolean, reason: string, message?: string): ConditionInput {
  return { type: 'Ready', status, reason, ...(message === undefined ? {} : { message }) };
}
