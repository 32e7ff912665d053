import { Deployment, EventsV1Event } from 'keelson/kinds';
import type { InProcessCluster, StoredOf, WatchEvent } from 'keelson/testing';
import { Memcached } from '../../examples/memcached/memcached.js';

export interface Follower {
  readonly stop: () => Promise<void>;
}

type Tell = (who: string, what: string) => void;

/** Tells what changes in the cluster, when the watches of a client show it. What looks as before is not told again. */
export async function follow(cluster: InProcessCluster, tell: Tell): Promise<Follower> {
  const stop = new AbortController();
  const said = new Map<string, string>();
  const tellChanged: Tell = (who, what) => {
    if (said.get(who) !== what) tell(who, what);
    said.set(who, what);
  };
  const options = { namespace: cluster.namespace, signal: stop.signal };
  const streams = [
    each(await cluster.watch(Deployment, options), (type, object) =>
      tellChanged('Deployment', type === 'DELETED' ? 'is gone' : deploymentText(object)),
    ),
    each(await cluster.watch(Memcached, options), (type, object) => {
      const text = type === 'DELETED' ? 'is gone' : memcachedText(object);
      if (text !== undefined) tellChanged('Memcached', text);
    }),
    each(await cluster.watch(EventsV1Event, options), (_, { regarding, type, reason, note }) => {
      if (regarding?.kind === 'Memcached') tellChanged('event', `${type} ${reason}: ${note}`);
    }),
  ];
  return {
    stop: async () => {
      stop.abort();
      await Promise.all(streams);
    },
  };

  async function each<T>(stream: AsyncIterable<WatchEvent<T>>, show: (type: string, object: T) => void): Promise<void> {
    try {
      for await (const event of stream) if (event.type !== 'BOOKMARK') show(event.type, event.object);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
  }
}

function deploymentText({ spec, status }: StoredOf<typeof Deployment>): string {
  const image = spec?.template?.spec?.containers[0]?.image ?? '';
  return `wants ${spec?.replicas ?? 0} of ${image}; ${status?.availableReplicas ?? 0} available`;
}

function memcachedText({ status }: StoredOf<typeof Memcached>): string | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready === undefined ? undefined : `Ready=${ready.status} ${ready.reason}: ${ready.message}`;
}
