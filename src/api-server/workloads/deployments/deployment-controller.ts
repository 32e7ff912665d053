import type { Pod, ReplicaSet } from '@keelson/kubernetes/kinds';
import type { Controller, ControllerSurroundings, Enqueue } from '../../controllers/index.js';
import { EventRecorder } from '../events/index.js';
import { controllerOf, DEPLOYMENTS, ObjectClient, type OtherResource, ownersController, PODS, REPLICA_SETS } from '../objects/index.js';
import { DeploymentSync } from './deployment-sync.js';

const NAME = 'deployment-controller';

/** Rolls Deployments out. Source: kubernetes `pkg/controller/deployment`; the deprecated rollback by annotation is not there (kubectl does without). */
export function deploymentController(surroundings: ControllerSurroundings): Controller {
  const client = new ObjectClient(surroundings, NAME);
  const events = new EventRecorder(surroundings, { component: NAME, writer: NAME });
  const pods: OtherResource = {
    resource: PODS,
    onEvent: ({ object, type }, queue) => recreated(client, object as unknown as Pod, { queue, isGone: type === 'DELETED' }),
  };
  const handle = (key: string, queue: Enqueue): Promise<void> =>
    new DeploymentSync({ client, events, now: surroundings.clock.now() }).run(key, queue);
  const parts = { name: NAME, client, owners: DEPLOYMENTS, kind: 'Deployment', members: REPLICA_SETS, others: [pods], handle };
  return ownersController(parts, surroundings);
}

/** A Deployment that recreates its Pods waits for the last old one to be gone, or to have ended. */
function recreated(client: ObjectClient, pod: Pod, { queue, isGone }: { readonly queue: Enqueue; readonly isGone: boolean }): void {
  const phase = pod.status?.phase;
  if (!isGone && phase !== 'Failed' && phase !== 'Succeeded') return;
  const owner = controllerOf(pod);
  if (owner?.kind !== 'ReplicaSet') return;
  const { namespace = '' } = pod.metadata;
  const replicaSet = client.get<ReplicaSet>(REPLICA_SETS, namespace, owner.name);
  const deployment = replicaSet && controllerOf(replicaSet);
  if (deployment?.kind === 'Deployment') queue.add(`${namespace}/${deployment.name}`);
}
