import { groupVersionOf } from '@keelson/kubernetes/apimachinery';
import type { Pod, PodDisruptionBudget } from '@keelson/kubernetes/kinds';
import type { JsonObject } from '../../contract/index.js';
import { type Controller, type ControllerSurroundings, type Enqueue, keyedController } from '../../controllers/index.js';
import { BUDGETS, controllerOf, isResource, isSame, keyOf, ObjectClient, PODS, partsOf, selectorOf, timeText } from '../objects/index.js';
import { planBudget } from './plan-budget.js';

/** Keeps what PodDisruptionBudgets allow, by which evictions are judged. */
export function budgetController(surroundings: ControllerSurroundings): Controller {
  const budgets = new Budgets(surroundings);
  return keyedController(
    {
      name: 'disruption-controller',
      // The number of expected Pods comes from their controller, of any kind with a scale.
      wants: (resource) =>
        isResource(resource, BUDGETS) || isResource(resource, PODS) || resource.versions.some(({ scale }) => scale !== undefined),
      onEvent({ object, resource }, queue) {
        const seen = object as unknown as Pod;
        if (isResource(resource, BUDGETS)) queue.add(keyOf(seen));
        else for (const key of budgets.keysIn(seen.metadata.namespace ?? '')) queue.add(key);
      },
      handle: (key, queue) => budgets.sync(key, queue),
    },
    surroundings,
  );
}

class Budgets {
  readonly #surroundings: ControllerSurroundings;
  readonly #client: ObjectClient;

  constructor(surroundings: ControllerSurroundings) {
    this.#surroundings = surroundings;
    this.#client = new ObjectClient(surroundings, 'disruption-controller');
  }

  keysIn(namespace: string): readonly string[] {
    return this.#client.list<PodDisruptionBudget>(BUDGETS, namespace).map(keyOf);
  }

  async sync(key: string, queue: Enqueue): Promise<void> {
    const { namespace, name } = partsOf(key);
    const budget = this.#client.get<PodDisruptionBudget>(BUDGETS, namespace, name);
    if (budget === undefined) return;
    const now = this.#surroundings.clock.now();
    const { selector } = budget.spec ?? {};
    // No selector chooses nothing.
    const matches = selector === undefined ? () => false : selectorOf(selector);
    const pods = this.#client.list<Pod>(PODS, namespace).filter(({ metadata }) => matches(metadata.labels));
    const { status, recheckAfterMs } = planBudget({ budget, pods, now, time: timeText(now), expected: () => this.#expected(pods) });
    if (!isSame(status, budget.status)) await this.#client.updateStatus<PodDisruptionBudget>(BUDGETS, { ...budget, status });
    if (recheckAfterMs !== undefined) queue.addAfter(key, recheckAfterMs);
  }

  /** The sizes of all controllers of these Pods. Pods without one are not counted. */
  #expected(pods: readonly Pod[]): number | { readonly problem: string } {
    const sizes = new Map<string, number>();
    for (const pod of pods) {
      const size = this.#sizeFor(pod.metadata.namespace ?? '', controllerOf(pod));
      if (size === undefined) continue;
      if ('problem' in size) return size;
      sizes.set(size.uid, size.replicas);
    }
    return [...sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  #sizeFor(namespace: string, owner: ReturnType<typeof controllerOf>): Size | { readonly problem: string } | undefined {
    if (owner === undefined) return undefined;
    const { group, version } = groupVersionOf(owner.apiVersion);
    const served = this.#surroundings.catalog.ofKind(group, version, owner.kind);
    if (served === undefined) return { problem: `no matches for kind "${owner.kind}" in version "${owner.apiVersion}"` };
    const { scale } = served.version;
    const { plural } = served.resource;
    if (scale === undefined) return { problem: `${plural}${group === '' ? '' : `.${group}`} does not implement the scale subresource` };
    const found = this.#client.get<Scaled>({ group, plural }, namespace, owner.name);
    if (found === undefined || found.metadata.uid !== owner.uid) return undefined;
    // A Deployment rolls out by changing the sizes of its ReplicaSets: its own size is what counts.
    const above = owner.kind === 'ReplicaSet' ? controllerOf(found) : undefined;
    if (above?.kind === 'Deployment') return this.#sizeFor(namespace, above);
    return { uid: owner.uid, replicas: Number(valueAt(found, scale.specReplicasPath) ?? 1) };
  }
}

interface Size {
  readonly uid: string;
  readonly replicas: number;
}

type Scaled = JsonObject & Pick<Pod, 'metadata'>;

function valueAt(object: JsonObject, path: string): unknown {
  return path
    .split('.')
    .filter((part) => part !== '')
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], object);
}
