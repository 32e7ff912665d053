import type { PodControls } from '@keelson/api-server';
import { isRecord, type KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { isApiError, isNotFound, jsonPatch, mergePatch } from '@keelson/runtime/internal/client';
import type { Act } from './act.js';
import { prefixOf } from './history.js';
import type { Disturbance, Plan } from './plan.js';
import { insist } from './story.js';
import { brokenStatus, truth } from './truth.js';

/** Lets the operator come to rest, or gives it so many timers. */
export async function paused(act: Act, hurry: number | undefined): Promise<void> {
  if (hurry === undefined) return act.settled();
  for (let left = hurry; left > 0; left -= 1) await act.tick();
}

/** Plays the disturbances that are planned after a step. */
export async function wronged(act: Act, index: number, { disturbances }: Plan): Promise<void> {
  for (const disturbance of disturbances) {
    if (disturbance.do === 'release' && 'step' in disturbance.at && disturbance.at.step === index) await takenOver(act, disturbance);
    if (disturbance.do === 'value' && disturbance.after === index) await moved(act, disturbance);
    if (disturbance.do === 'mistake' && disturbance.after === index) await mistaken(act, disturbance);
    if (disturbance.do === 'break' && disturbance.after === index) await broken(act, disturbance);
  }
}

async function takenOver(act: Act, disturbance: Disturbance & { readonly do: 'release' }): Promise<void> {
  act.disturbed(disturbance);
  act.takeOver(disturbance.release);
  await act.settled();
}

/** @param name `a`, or `team-b/a` */
function found(act: Act, kind: string, name: string): KubernetesObject | undefined {
  return act.objects.find(
    (object) =>
      object.kind === kind &&
      `${prefixOf(object.metadata.namespace)}${object.metadata.name}` === name &&
      object.metadata.deletionTimestamp === undefined,
  );
}

async function mistaken(act: Act, disturbance: Disturbance & { readonly do: 'mistake' }): Promise<void> {
  const { kind, name, path, value } = disturbance.mistake;
  const object = found(act, kind, name);
  const before = object === undefined ? undefined : valueAt(object, path);
  if (object === undefined || before === undefined) return;
  act.disturbed(disturbance);
  act.store(object, (now) => withValue(now, path, value));
  await paused(act, disturbance.isSeen ? undefined : 3);
  const now = found(act, kind, name);
  if (now !== undefined) act.store(now, (last) => withValue(last, path, before));
  await paused(act, undefined);
}

async function broken(act: Act, disturbance: Disturbance & { readonly do: 'break' }): Promise<void> {
  const child = found(act, disturbance.kind, disturbance.name);
  if (child === undefined) return;
  act.disturbed(disturbance);
  const mend = act.pods === undefined ? await withBrokenStatus(act, child) : await withUnreadyPods(act, act.pods, child);
  await act.settled();
  if (act.isAttentive) truth({ objects: act.objects, isOwn: (object) => act.isOwn(object) });
  await mend();
  await act.settled();
}

/** Where no kubelet runs Pods, the status is all that there is of a workload. @returns what undoes it */
async function withBrokenStatus(act: Act, child: KubernetesObject): Promise<() => Promise<void>> {
  const kind = await act.kinds.of({ apiVersion: child.apiVersion ?? '', kind: child.kind ?? '' });
  const { name, namespace, uid } = child.metadata;
  const before = (child as { readonly status?: object }).status ?? null;
  /** The operator runs meanwhile, and may have deleted it. Another one of its name is not concerned. */
  const set = async (status: unknown): Promise<void> => {
    if (found(act, child.kind ?? '', `${prefixOf(namespace)}${name}`)?.metadata.uid !== uid) return;
    try {
      await insist(act, `set the status of ${child.kind} ${name}`, () =>
        act.cluster.client.status(kind).patch({ namespace, name } as never, mergePatch({ status } as object) as never),
      );
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  };
  await set(brokenStatus(child));
  return async () => {
    await set(null);
    if (before !== null) await set(before);
  };
}

/** The Pods of the workload stop being ready; what is made meanwhile is not concerned. @returns what undoes it */
async function withUnreadyPods(
  act: Act,
  controls: (namespace: string) => PodControls,
  child: KubernetesObject,
): Promise<() => Promise<void>> {
  const { objects } = act;
  const isBelow = ({ metadata }: KubernetesObject): boolean =>
    metadata.uid === child.metadata.uid ||
    (metadata.ownerReferences ?? []).some(({ uid }) => objects.some((owner) => owner.metadata.uid === uid && isBelow(owner)));
  const isThere = (pod: KubernetesObject): boolean => act.objects.some(({ metadata }) => metadata.uid === pod.metadata.uid);
  const pods = objects.filter((object) => object.kind === 'Pod' && isBelow(object));
  const setReady = async (isReady: boolean): Promise<void> => {
    for (const pod of pods) if (isThere(pod)) await controls(pod.metadata.namespace ?? '').setReady(pod.metadata.name ?? '', isReady);
  };
  await setReady(false);
  return () => setReady(true);
}

/** Moves a field as a user does, and moves it back. Values that the API server refuses are left out. */
async function moved(act: Act, disturbance: Disturbance & { readonly do: 'value' }): Promise<void> {
  const { kind, name, path, value } = disturbance.move;
  const object = found(act, kind, name);
  if (object === undefined) return;
  const before = valueAt(object, path.map(String));
  if (JSON.stringify(before) === JSON.stringify(value)) return;
  if (!(await isSet(act, object, { path, value }))) return;
  act.disturbed(disturbance);
  await paused(act, undefined);
  const now = found(act, kind, name);
  if (now !== undefined && !(await isSet(act, now, { path, value: before }))) return;
  await paused(act, undefined);
}

/** @returns whether the API server has taken it */
async function isSet(
  act: Act,
  object: KubernetesObject,
  { path, value }: { readonly path: readonly (string | number)[]; readonly value: unknown },
): Promise<boolean> {
  const pointer = `/${path.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
  const has = valueAt(object, path.map(String)) !== undefined;
  if (!has && value === undefined) return true;
  const operation = value === undefined ? { op: 'remove', path: pointer } : { op: has ? 'replace' : 'add', path: pointer, value };
  const kind = await act.kinds.of({ apiVersion: object.apiVersion ?? '', kind: object.kind ?? '' });
  const key = `${kind.scope === 'Cluster' ? '' : `${object.metadata.namespace}/`}${object.metadata.name}`;
  try {
    await insist(act, `set ${path.join('.')} of ${object.kind} ${object.metadata.name}`, () =>
      act.cluster.patch(kind, key, jsonPatch([operation] as never) as never),
    );
    return true;
  } catch (error) {
    if (isApiError(error) && [400, 403, 404, 422].includes(error.httpStatus)) return false;
    throw error;
  }
}

function valueAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, field) => (isRecord(value) || Array.isArray(value) ? (value as Readonly<Record<string, unknown>>)[field] : undefined),
    object,
  );
}

function withValue(object: KubernetesObject, [first, ...rest]: readonly string[], value: unknown): KubernetesObject {
  if (first === undefined) return value as KubernetesObject;
  const fields = object as unknown as Readonly<Record<string, KubernetesObject>>;
  return { ...fields, [first]: withValue(fields[first] as KubernetesObject, rest, value) } as unknown as KubernetesObject;
}
