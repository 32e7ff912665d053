import type { AuditEntry } from '../harness/index.js';
import { LEASE } from './replica.js';

const WRITING: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** A request that was to change something. */
export interface Write {
  readonly by: string;
  /** `patch configmaps shop/a` */
  readonly what: string;
  /** With the same number of digits each, so that they compare as texts. */
  readonly receivedAt: string;
  readonly answeredAt: string;
  /** It has changed something. */
  readonly isDone: boolean;
  readonly hasCreated: boolean;
  /** Who leads from now on; of writes to the Lease. */
  readonly leader?: string;
}

/** What these users wanted to write, in the order in which the API server got it. Events are left out: they tell of what was, and may do so later. */
export function writesOf(audit: readonly AuditEntry[], users: readonly string[]): Write[] {
  return audit
    .filter(({ user, verb, objectRef }) => users.includes(user.username) && WRITING.has(verb) && isChange(objectRef))
    .map(writeOf)
    .sort((one, other) => (one.receivedAt < other.receivedAt ? -1 : 1));
}

/** Reviews are asked for by a create and leave nothing behind. */
function isChange({ resource, apiGroup }: NonNullable<AuditEntry['objectRef']> = {}): boolean {
  return resource !== 'events' && apiGroup !== 'authorization.k8s.io';
}

function writeOf({ user, verb, objectRef, responseStatus, requestReceivedTimestamp, stageTimestamp, requestObject }: AuditEntry): Write {
  const { resource = '', subresource, namespace = '', name = '' } = objectRef ?? {};
  const isLease = resource === 'leases' && name === LEASE;
  const { spec } = (requestObject ?? {}) as { readonly spec?: { readonly holderIdentity?: string } };
  return {
    by: user.username,
    what: `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`} ${namespace}/${name}`,
    receivedAt: requestReceivedTimestamp,
    answeredAt: stageTimestamp,
    isDone: Math.floor((responseStatus?.code ?? 0) / 100) === 2,
    hasCreated: responseStatus?.code === 201,
    // The identity begins with the name of the Pod, which is the user here.
    ...(isLease ? { leader: (spec?.holderIdentity ?? '').split('_')[0] ?? '' } : {}),
  };
}

/**
 * Writes of who did not lead all the time from when the API server got them to when it had answered them.
 *
 * A Lease counts from the moment in which its write came: whoever wrote it cannot have known earlier that he leads.
 */
export function strayWrites(writes: readonly Write[]): string[] {
  const terms = writes.filter(({ leader }) => leader !== undefined);
  const leaderAt = (time: string): string => terms.findLast(({ receivedAt }) => receivedAt <= time)?.leader ?? '';
  return writes
    .filter((write) => write.leader === undefined)
    .map((write) => ({ ...write, leaders: [leaderAt(write.receivedAt), leaderAt(write.answeredAt)] }))
    .filter(({ by, leaders }) => leaders.some((leader) => leader !== by))
    .map(
      ({ by, what, receivedAt, answeredAt, leaders }) =>
        `${by}: ${what} from ${receivedAt} to ${answeredAt} while ${leaders.join(', then ')} led`,
    );
}

/** What was created more than once. */
export function createdTwice(writes: readonly Write[]): string[] {
  const counts = new Map<string, number>();
  for (const { what, hasCreated } of writes) {
    const object = what.slice(what.indexOf(' ') + 1);
    if (hasCreated) counts.set(object, (counts.get(object) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 1).map(([object, count]) => `${object}: ${count} times`);
}
