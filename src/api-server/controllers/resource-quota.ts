import { setImmediate as nextTurn } from 'node:timers/promises';
import { equalJson } from '@keelson/kubernetes/apimachinery';
import type { ResourceQuota } from '@keelson/kubernetes/kinds';
import { countsResource, quotaUsage } from '../access/index.js';
import type { JsonObject, Resource } from '../contract/index.js';
import type { Controller, ControllerSurroundings } from './controller.js';
import { ControllerClient, isGone } from './controller-client.js';
import { type Enqueue, keyedController } from './keyed-controller.js';
import { metaOf } from './metadata.js';
import type { FedEvent } from './object-feed.js';

const QUOTAS = { group: '', plural: 'resourcequotas' };
/** For these resources a change can free something: a pod ends, a Service gets another type, a claim shrinks. For the others only an end can. */
const CHANGING: ReadonlySet<string> = new Set(['persistentvolumeclaims', 'pods', 'services']);
/** Everything is counted anew so often. Source: `--resource-quota-sync-period` of kube-controller-manager. */
const RESYNC_MS = 5 * 60_000;

/**
 * Takes up the limits of quotas, and counts again what is used where something may have been given back: what is taken, admission charges by itself.
 *
 * Source: kubernetes `pkg/controller/resourcequota`.
 */
export function resourceQuotaController(surroundings: ControllerSurroundings): Controller {
  const client = new ControllerClient(surroundings, 'resourcequota-controller');
  return keyedController(
    {
      name: 'resourcequota-controller',
      wants: ({ scope }) => scope === 'Namespaced',
      onEvent: (event, queue) => enqueue(event, queue, client),
      handle: async (key, queue) => {
        // An object that was charged a moment ago is about to be stored: counted before, it would be given back.
        await nextTurn();
        await recount(key, client, surroundings);
        queue.addAfter(key, RESYNC_MS);
      },
    },
    surroundings,
  );
}

function enqueue({ type, object, resource }: FedEvent, queue: Enqueue, client: ControllerClient): void {
  const { namespace = '' } = metaOf(object);
  const isCore = resource.group === '';
  if (isCore && resource.plural === QUOTAS.plural && type !== 'DELETED' && !isTakenUp(object)) queue.add(keyOf(object));
  if (type !== 'DELETED' && !(type === 'MODIFIED' && isCore && CHANGING.has(resource.plural))) return;
  for (const quota of client.list(QUOTAS, namespace)) if (counts(quota, resource)) queue.add(keyOf(quota));
}

function keyOf(quota: JsonObject): string {
  const { namespace = '', name } = metaOf(quota);
  return `${namespace}/${name}`;
}

function isTakenUp(object: JsonObject): boolean {
  const { spec, status } = object as unknown as ResourceQuota;
  return status?.used !== undefined && equalJson(spec?.hard ?? {}, status.hard ?? {});
}

function counts(quota: JsonObject, resource: Resource): boolean {
  return countsResource(quota as unknown as ResourceQuota, resource);
}

async function recount(key: string, client: ControllerClient, { cluster, catalog, clock }: ControllerSurroundings): Promise<void> {
  const [namespace = '', name = ''] = key.split('/');
  const place = { resource: QUOTAS, namespace, name };
  const quota = client.get(place);
  if (quota === undefined) return;
  const now = clock.now().getTime();
  const status = quotaUsage(quota as unknown as ResourceQuota, { cluster, resources: catalog.resources, now });
  if (status === undefined) return;
  try {
    await client.update({ ...place, subresource: 'status' }, { ...quota, status });
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}
