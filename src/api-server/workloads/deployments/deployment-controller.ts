import type { Deployment, Pod, ReplicaSet } from '../../../kinds/index.js';
import { type Controller, type ControllerSurroundings, type Enqueue, keyedController } from '../../controllers/index.js';
import {
  controllerOf,
  DEPLOYMENTS,
  isResource,
  keyOf,
  Memberships,
  ObjectClient,
  PODS,
  REPLICA_SETS,
  selectorOf,
} from '../objects/index.js';
import { DeploymentSync } from './deployment-sync.js';

/** Rolls Deployments out. Source: kubernetes `pkg/controller/deployment`, 1.34; the deprecated rollback by annotation is not there (kubectl does without). */
export function deploymentController(surroundings: ControllerSurroundings): Controller {
  const client = new ObjectClient(surroundings, 'deployment-controller');
  const members = new Memberships();
  return keyedController(
    {
      name: 'deployment-controller',
      wants: (resource) => [DEPLOYMENTS, REPLICA_SETS, PODS].some((wanted) => isResource(resource, wanted)),
      onEvent({ object, resource, type }, queue) {
        if (isResource(resource, DEPLOYMENTS)) return queue.add(keyOf(object as unknown as Deployment));
        if (isResource(resource, REPLICA_SETS)) {
          const replicaSet = object as unknown as ReplicaSet;
          const keys = members.update(replicaSet.metadata.uid ?? '', keysOf(client, replicaSet), type === 'DELETED');
          for (const key of keys) queue.add(key);
        } else recreated(client, object as unknown as Pod, { queue, isGone: type === 'DELETED' });
      },
      handle: (key, queue) => new DeploymentSync({ client, now: surroundings.clock.now() }).run(key, queue),
    },
    surroundings,
  );
}

/** Whose ReplicaSet it is, or (nobody's) could be. */
function keysOf(client: ObjectClient, replicaSet: ReplicaSet): readonly string[] {
  const { namespace = '', labels } = replicaSet.metadata;
  const controller = controllerOf(replicaSet);
  if (controller !== undefined) return controller.kind === 'Deployment' ? [`${namespace}/${controller.name}`] : [];
  return client
    .list<Deployment>(DEPLOYMENTS, namespace)
    .filter(({ spec }) => selectorOf(spec.selector)(labels))
    .map(keyOf);
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
