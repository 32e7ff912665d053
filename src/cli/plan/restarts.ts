import { groupVersionOf, type KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { keyOf, type World } from '../rehearsal/index.js';
import { controllerOf, existsIn } from './changes.js';
import type { PlannedChange, Restart } from './plan-report.js';

/** The fields of workloads that say how many Pods a changed template replaces. */
interface Workload extends KubernetesObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly parallelism?: number;
    readonly paused?: boolean;
    readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
  };
  readonly status?: { readonly desiredNumberScheduled?: number; readonly active?: number };
}

const WORKLOADS: ReadonlySet<string> = new Set(['apps Deployment', 'apps StatefulSet', 'apps DaemonSet', 'batch Job']);
const TEMPLATE = 'spec.template.';
/** Fields of a Pod that the kubelet changes in place. */
const IN_PLACE = /^spec\.(?:containers|initContainers)\[[^\]]*\]\.resources\b|^spec\.resources\b|^metadata\./;

/** Pods that start again. Pods that are only created or only deleted do not count. */
export function restartsOf(changes: readonly PlannedChange[], before: World, after: World): readonly Restart[] {
  return changes.flatMap((change) => {
    const { object, action } = change;
    const key = keyOf({ ...object, metadata: { namespace: object.namespace, name: object.name } } as KubernetesObject);
    const [old, young] = [before.get(key), after.get(key)] as [Workload | undefined, Workload | undefined];
    if (old !== undefined && action === 'delete' && isMadeAgain(old, after))
      return [{ object, pods: 1, because: [`the Pod is deleted, and its ${controllerOf(old)?.kind} makes another`] }];
    if (old === undefined || young === undefined || (action !== 'change' && action !== 'recreate')) return [];
    const because = action === 'recreate' ? ['the object is deleted and created again'] : causesOf(change);
    const pods = because.length === 0 ? 0 : podsOf(action, old, young);
    return pods === 0 ? [] : [{ object, pods, because }];
  });
}

/** A Pod whose owner stays. */
function isMadeAgain(object: KubernetesObject, after: World): boolean {
  const owner = controllerOf(object);
  return object.kind === 'Pod' && owner !== undefined && MAKERS_OF_PODS.has(owner.kind) && existsIn(after, owner.uid);
}

const MAKERS_OF_PODS: ReadonlySet<string> = new Set(['ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job']);

function causesOf({ object, fields }: PlannedChange): readonly string[] {
  const paths = fields.map(({ path }) => path);
  const name = `${groupVersionOf(object.apiVersion).group} ${object.kind}`;
  if (name === ' Pod') return paths.filter((path) => !IN_PLACE.test(path));
  return WORKLOADS.has(name) ? paths.filter((path) => path.startsWith(TEMPLATE)) : [];
}

/** The Pods that exist now, as far as the rollout replaces them by itself. */
function podsOf(action: PlannedChange['action'], { kind, apiVersion, spec = {}, status = {} }: Workload, young: Workload): number {
  if (kind === 'Pod') return 1;
  if (!WORKLOADS.has(`${groupVersionOf(apiVersion).group} ${kind}`)) return 0;
  const { updateStrategy, paused = false } = young.spec ?? {};
  // The template changes, and the Pods stay until a person deletes them or lets the rollout go on.
  if (action === 'change' && (updateStrategy?.type === 'OnDelete' || paused)) return 0;
  if (kind === 'DaemonSet') return status.desiredNumberScheduled ?? 0;
  if (kind === 'Job') return status.active ?? 0;
  const { replicas = 1 } = spec;
  const stays = action === 'change' && kind === 'StatefulSet' ? (updateStrategy?.rollingUpdate?.partition ?? 0) : 0;
  return Math.max(0, Math.min(replicas, young.spec?.replicas ?? 1) - stays);
}
