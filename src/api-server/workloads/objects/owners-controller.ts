import type { LabelSelector } from '@keelson/kubernetes/kinds';
import { type Controller, type ControllerSurroundings, type Enqueue, type FedEvent, keyedController } from '../../controllers/index.js';
import { keyOf } from './keys.js';
import { Memberships } from './memberships.js';
import type { ObjectClient, StoredObject } from './object-client.js';
import { controllerOf } from './owners.js';
import { isResource, type ResourceName } from './resources.js';
import { selectorOf } from './selectors.js';

interface Member extends StoredObject {
  readonly metadata: StoredObject['metadata'] & { readonly labels?: Readonly<Record<string, string>> | undefined };
}

interface OwnerObject extends StoredObject {
  readonly spec: { readonly selector?: LabelSelector | undefined };
}

/** A controller that keeps members of owners: Pods of ReplicaSets, StatefulSets, DaemonSets and Jobs, ReplicaSets of Deployments. */
export interface OwnersControllerParts {
  readonly name: string;
  readonly client: ObjectClient;
  readonly owners: ResourceName;
  /** The kind of the owners, as owner references name it. */
  readonly kind: string;
  readonly members: ResourceName;
  /** Further resources whose events matter. @defaultValue none */
  readonly others?: readonly OtherResource[];
  readonly handle: (key: string, enqueue: Enqueue) => Promise<void>;
}

export interface OtherResource {
  readonly resource: ResourceName;
  readonly onEvent: (event: FedEvent, enqueue: Enqueue) => void;
}

/** Queues an owner when it changes, and the owners of a member when the member does: those before the change too. */
export function ownersController(parts: OwnersControllerParts, surroundings: ControllerSurroundings): Controller {
  const { name, owners, members, others = [], handle } = parts;
  const wanted = [owners, members, ...others.map(({ resource }) => resource)];
  const memberships = new Memberships();
  return keyedController(
    {
      name,
      wants: (resource) => wanted.some((one) => isResource(resource, one)),
      onEvent(event, queue) {
        const object = event.object as unknown as Member;
        if (isResource(event.resource, owners)) queue.add(keyOf(object));
        else if (isResource(event.resource, members)) {
          const keys = memberships.update(object.metadata.uid ?? '', ownersOf(object, parts), event.type === 'DELETED');
          for (const key of keys) queue.add(key);
        } else others.find(({ resource }) => isResource(event.resource, resource))?.onEvent(event, queue);
      },
      handle,
    },
    surroundings,
  );
}

/** Keys of the owner, or of every owner whose selector matches an orphan. */
function ownersOf(member: Member, { client, owners, kind }: OwnersControllerParts): readonly string[] {
  const { namespace = '', labels } = member.metadata;
  const controller = controllerOf(member);
  if (controller !== undefined) return controller.kind === kind ? [`${namespace}/${controller.name}`] : [];
  return client
    .list<OwnerObject>(owners, namespace)
    .filter(({ spec }) => spec.selector !== undefined && selectorOf(spec.selector)(labels))
    .map(keyOf);
}
