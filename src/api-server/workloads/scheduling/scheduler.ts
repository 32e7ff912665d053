import type { Node, PersistentVolumeClaim, Pod, PodCondition } from '@keelson/kubernetes/kinds';
import { type Controller, type ControllerSurroundings, isGone, keyedController } from '../../controllers/index.js';
import { CLAIMS, isResource, keyOf, NODES, ObjectClient, PODS, partsOf, timeText } from '../objects/index.js';
import { claimNamesOf, conditionOf, isActive, isGoing, isTerminal } from '../pods/index.js';
import { placementOf } from './fits.js';

const SCHEDULER = { user: { username: 'system:kube-scheduler', groups: ['system:authenticated'] }, fieldManager: 'kube-scheduler' };

export interface SchedulerParts {
  /** Whether the test keeps the Pod from being put on a node. */
  readonly isHeldBack: (pod: Pod) => boolean;
  /** Calls back when that may have changed. */
  readonly onRelease: (listener: () => void) => void;
}

/** Puts Pods on nodes. Source of its messages: kubernetes `pkg/scheduler`. */
export function scheduler(surroundings: ControllerSurroundings, { isHeldBack, onRelease }: SchedulerParts): Controller {
  const client = new ObjectClient(surroundings, SCHEDULER);
  const waiting = new Set<string>();
  const sync = async (key: string): Promise<void> => {
    const { namespace, name } = partsOf(key);
    const pod = client.get<Pod>(PODS, namespace, name);
    waiting.delete(key);
    if (pod === undefined || !isToBeScheduled(pod)) return;
    waiting.add(key);
    if (isHeldBack(pod)) return;
    await schedule(client, pod, timeText(surroundings.clock.now()));
  };
  return keyedController(
    {
      name: 'kube-scheduler',
      wants: (resource) => [PODS, NODES, CLAIMS].some((wanted) => isResource(resource, wanted)),
      onStart: (queue) =>
        onRelease(() => {
          for (const key of waiting) queue.add(key);
        }),
      onEvent({ object, resource }, queue) {
        const seen = object as unknown as Pod;
        if (!isResource(resource, PODS)) for (const key of waiting) queue.add(key);
        else if ((seen.spec.nodeName ?? '') === '' || waiting.has(keyOf(seen))) queue.add(keyOf(seen));
      },
      handle: sync,
    },
    surroundings,
  );
}

function isToBeScheduled(pod: Pod): boolean {
  const { nodeName = '', schedulerName = 'default-scheduler', schedulingGates = [] } = pod.spec;
  return nodeName === '' && schedulerName === 'default-scheduler' && schedulingGates.length === 0 && !isTerminal(pod) && !isGoing(pod);
}

async function schedule(client: ObjectClient, pod: Pod, time: string): Promise<void> {
  const problem = claimProblem(client, pod);
  const counts = new Map<string, number>();
  for (const { spec } of client.list<Pod>(PODS).filter(isActive))
    counts.set(spec.nodeName ?? '', (counts.get(spec.nodeName ?? '') ?? 0) + 1);
  const nodes = client.list<Node>(NODES).filter((node) => !isGoing(node));
  const placement = problem === undefined ? placementOf(pod, nodes, (node) => counts.get(node) ?? 0) : { message: problem };
  if ('message' in placement) return tellUnschedulable(client, pod, { message: placement.message, time });
  const { name, namespace, uid } = pod.metadata;
  const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target: { kind: 'Node', name: placement.node } };
  try {
    await client.post(PODS, pod, { subresource: 'binding', body });
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function claimProblem(client: ObjectClient, pod: Pod): string | undefined {
  const { namespace = '' } = pod.metadata;
  const claims = claimNamesOf(pod).map((name) => ({ name, claim: client.get<PersistentVolumeClaim>(CLAIMS, namespace, name) }));
  const missing = claims.find(({ claim }) => claim === undefined);
  const nodes = client.list<Node>(NODES).length;
  if (missing !== undefined) return `0/${nodes} nodes are available: persistentvolumeclaim "${missing.name}" not found.`;
  const isUnbound = claims.some(({ claim }) => claim?.status?.phase !== 'Bound');
  return isUnbound ? `0/${nodes} nodes are available: pod has unbound immediate PersistentVolumeClaims.` : undefined;
}

async function tellUnschedulable(
  client: ObjectClient,
  pod: Pod,
  { message, time }: { readonly message: string; readonly time: string },
): Promise<void> {
  const known = conditionOf(pod, 'PodScheduled');
  if (known?.status === 'False' && known.reason === 'Unschedulable' && known.message === message) return;
  const lastTransitionTime = known?.status === 'False' ? known.lastTransitionTime : time;
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message, lastProbeTime: null, lastTransitionTime };
  const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
  await client.updateStatus(PODS, { ...pod, status: { ...pod.status, conditions: [...others, condition as unknown as PodCondition] } });
}
