import { compareUtf8 } from '@keelson/kubernetes/apimachinery';
import { type Managed, managerIdentifier, secondsOf } from './managed-fields.js';

/** Source: apimachinery, `managedfields/internal/fieldmanager.go` (`DefaultMaxUpdateManagers`). */
const MAX_UPDATE_MANAGERS = 10;
const OLD_UPDATES = 'ancient-changes';

/** Keeps the entries of updates to ten: the oldest of a version are joined in one. */
export function capUpdateManagers({ managers, times }: Managed): Managed {
  const updaters = [...managers].filter(([, { applied }]) => !applied).map(([identifier]) => identifier);
  let count = updaters.length;
  if (count <= MAX_UPDATE_MANAGERS) return { managers, times };
  updaters.sort((left, right) => secondsOf(times.get(left)) - secondsOf(times.get(right)) || compareUtf8(left, right));
  const joined = { managers: new Map(managers), times: new Map(times) };
  const firstOfVersion = new Map<string, string>();
  for (const identifier of updaters) {
    if (count <= MAX_UPDATE_MANAGERS) break;
    const owned = joined.managers.get(identifier);
    if (owned === undefined) continue;
    const first = firstOfVersion.get(owned.apiVersion);
    if (first === undefined) {
      // One entry alone needs no bucket: it is moved when a second one of its version comes.
      firstOfVersion.set(owned.apiVersion, identifier);
      continue;
    }
    const bucket = managerIdentifier({ manager: OLD_UPDATES, operation: 'Update', apiVersion: owned.apiVersion, subresource: '' });
    const old = joined.managers.get(bucket) ?? joined.managers.get(first);
    if (!joined.managers.has(bucket)) joined.managers.delete(first);
    joined.managers.set(bucket, { ...owned, set: old === undefined ? owned.set : owned.set.union(old.set) });
    // In this order, as upstream does it: a bucket that is itself joined (an older entry came first) is lost.
    joined.managers.delete(identifier);
    // The entry that is joined is the younger one.
    const time = times.get(identifier);
    if (time === undefined) joined.times.delete(bucket);
    else joined.times.set(bucket, time);
    count -= 1;
  }
  return joined;
}
