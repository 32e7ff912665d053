import type { KubernetesObject, OwnerReference } from '@keelson/kubernetes/apimachinery';
import { type FieldChange, fieldChangesOf } from '@keelson/runtime/internal/journal';
import type { World } from '../rehearsal/index.js';
import type { NamedObject, PlannedChange } from './plan-report.js';

type WithStatus = KubernetesObject & { readonly status?: unknown };

/** The objects that differ, without their statuses; in the order of their keys. */
export function changesBetween(before: World, after: World): readonly PlannedChange[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  return keys.flatMap((key) => {
    const [old, young] = [before.get(key), after.get(key)];
    const change = changeOf(old, young);
    if (change === undefined || (change.action === 'delete' && old !== undefined && goesWithWorkload(old, after))) return [];
    return [change];
  });
}

/** Kinds of which the control plane makes the objects of other kinds. */
const WORKLOADS: ReadonlySet<string> = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job']);

/** Whether a Pod, or what stands between it and its Deployment, goes since its workload has gone or has been made again. The line of the workload says so. */
function goesWithWorkload(object: KubernetesObject, after: World): boolean {
  const owner = controllerOf(object);
  return owner !== undefined && WORKLOADS.has(owner.kind) && !existsIn(after, owner.uid);
}

export const controllerOf = ({ metadata: { ownerReferences = [] } }: KubernetesObject): OwnerReference | undefined =>
  ownerReferences.find(({ controller }) => controller === true);

export function existsIn(world: World, uid: string): boolean {
  for (const { metadata } of world.values()) if (metadata.uid === uid) return true;
  return false;
}

function changeOf(old: WithStatus | undefined, young: WithStatus | undefined): PlannedChange | undefined {
  const object = young ?? old;
  if (object === undefined) return undefined;
  const named = { object: namedObject(object), ...ownerOf(object) };
  if (old === undefined) return { action: 'create', ...named, fields: [] };
  // An object with finalizers goes when their controllers have done their part.
  if (young === undefined || isDeleted(young) > isDeleted(old)) return { action: 'delete', ...named, fields: [] };
  const fields = fieldChangesOf(object.kind, withoutStatus(old), withoutStatus(young));
  if (old.metadata.uid !== young.metadata.uid) return { action: 'recreate', ...named, fields };
  return fields.length === 0 ? undefined : { action: 'change', ...named, fields };
}

/** Objects whose status differs in more than times. */
export function statusChangesBetween(
  before: World,
  after: World,
): readonly { readonly object: KubernetesObject; readonly fields: readonly FieldChange[] }[] {
  return [...before.keys()].sort().flatMap((key) => {
    const [old, young] = [before.get(key), after.get(key)] as [WithStatus, WithStatus | undefined];
    if (young === undefined || old.metadata.uid !== young.metadata.uid) return [];
    const fields = fieldChangesOf(old.kind, statusOf(old), statusOf(young)).filter(({ path }) => !TIME_FIELD.test(path));
    return fields.length === 0 ? [] : [{ object: young, fields }];
  });
}

const TIME_FIELD = /\.last(?:Transition|Update|Probe|Heartbeat)Time$/;

const isDeleted = ({ metadata: { deletionTimestamp } }: KubernetesObject): number => Number(deletionTimestamp !== undefined);

function withoutStatus({ status: _, ...object }: WithStatus): object {
  return object;
}

const statusOf = ({ status }: WithStatus): object => (status === undefined ? {} : { status });

export function namedObject({ apiVersion, kind, metadata: { namespace, name = '' } }: KubernetesObject): NamedObject {
  return { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name };
}

function ownerOf(object: KubernetesObject): Pick<PlannedChange, 'owner'> {
  const owner = controllerOf(object);
  const { namespace } = object.metadata;
  return owner === undefined ? {} : { owner: `${owner.kind} ${namespace === undefined ? '' : `${namespace}/`}${owner.name}` };
}
