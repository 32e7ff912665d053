import type { Node } from '@keelson/kubernetes/kinds';
import { type Controller, type ControllerSurroundings, keyedController } from '../../controllers/index.js';
import { isResource, NODES, ObjectClient, timeText } from '../objects/index.js';
import type { Addresses } from './addresses.js';
import { nodeStatus, readinessTaints } from './node-object.js';

/** Plays the kubelet of nodes as far as they are concerned themselves: a Node without a Ready condition is ready. */
export function nodeController(surroundings: ControllerSurroundings, addresses: Addresses): Controller {
  const lifecycle = new ObjectClient(surroundings, 'node-controller');
  return keyedController(
    {
      name: 'kubelet-nodes',
      wants: (resource) => isResource(resource, NODES),
      onEvent({ object, type }, queue) {
        const { name } = (object as unknown as Node).metadata;
        if (type === 'DELETED') addresses.release(name);
        else queue.add(name);
      },
      async handle(name) {
        const client = new ObjectClient(surroundings, nodeWriter(name));
        const node = client.get<Node>(NODES, '', name);
        if (node === undefined) return;
        const status = nodeStatus(node, { address: addresses.of(name), time: timeText(surroundings.clock.now()) });
        const told = status === undefined ? node : await client.updateStatus<Node>(NODES, { ...node, status });
        const taints = readinessTaints(told);
        if (taints !== undefined) await lifecycle.update(NODES, { ...told, spec: { ...told.spec, taints: [...taints] } });
      },
    },
    surroundings,
  );
}

/** The kubelet of a node, as the API server knows it. */
export function nodeWriter(name: string): {
  readonly user: { readonly username: string; readonly groups: readonly string[] };
  readonly fieldManager: string;
} {
  return { user: { username: `system:node:${name}`, groups: ['system:nodes', 'system:authenticated'] }, fieldManager: 'kubelet' };
}
