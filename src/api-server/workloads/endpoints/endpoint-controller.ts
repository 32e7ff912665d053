import type { EndpointSlice, Endpoints, Node, Pod, Service } from '@keelson/kubernetes/kinds';
import { type Controller, type ControllerSurroundings, isConflict, isTerminating, keyedController } from '../../controllers/index.js';
import {
  ENDPOINT_SLICES,
  ENDPOINTS,
  isResource,
  keyOf,
  labelsMatcher,
  Memberships,
  NODES,
  ObjectClient,
  PODS,
  partsOf,
  SERVICES,
} from '../objects/index.js';
import { wantedEndpoints } from './plan-endpoints.js';
import { MANAGED_BY, MANAGER, planSlices, SERVICE_NAME } from './plan-slices.js';
import { hasEndpoints, podsBehind } from './service-pods.js';

/** Keeps EndpointSlices and Endpoints of Services that choose Pods. Those of other writers are left alone, and not mirrored. */
export function endpointController(surroundings: ControllerSurroundings): Controller {
  const services = new Services(surroundings);
  const members = new Memberships();
  return keyedController(
    {
      name: 'endpointslice-controller',
      wants: (resource) => [SERVICES, PODS, ENDPOINT_SLICES, ENDPOINTS].some((wanted) => isResource(resource, wanted)),
      onEvent({ object, resource, type }, queue) {
        const seen = object as unknown as Pod;
        const { namespace = '', labels } = seen.metadata;
        if (isResource(resource, PODS)) {
          for (const key of members.update(seen.metadata.uid ?? '', services.keysOf(seen), type === 'DELETED')) queue.add(key);
        } else if (isResource(resource, ENDPOINT_SLICES)) {
          if (labels?.[MANAGED_BY] === MANAGER) queue.add(`${namespace}/${labels[SERVICE_NAME] ?? ''}`);
        } else queue.add(keyOf(seen));
      },
      handle: (key) => services.sync(key),
    },
    surroundings,
  );
}

class Services {
  readonly #slices: ObjectClient;
  readonly #endpoints: ObjectClient;

  constructor(surroundings: ControllerSurroundings) {
    this.#slices = new ObjectClient(surroundings, 'endpointslice-controller');
    this.#endpoints = new ObjectClient(surroundings, 'endpoint-controller');
  }

  keysOf({ metadata: { namespace = '', labels } }: Pod): readonly string[] {
    return this.#slices
      .list<Service>(SERVICES, namespace)
      .filter((service) => hasEndpoints(service) && labelsMatcher(service.spec?.selector ?? {})(labels))
      .map(keyOf);
  }

  async sync(key: string): Promise<void> {
    const { namespace, name } = partsOf(key);
    const service = this.#slices.get<Service>(SERVICES, namespace, name);
    if (service === undefined) return this.#forget(namespace, name);
    if (!hasEndpoints(service)) return;
    try {
      await this.#write(service);
    } catch (error) {
      // Nothing more will come of it.
      if (!isTerminating(error)) throw error;
    }
  }

  async #write(service: Service): Promise<void> {
    const { namespace = '', name } = service.metadata;
    const behind = podsBehind(service, this.#slices.list<Pod>(PODS, namespace));
    const slices = this.#slices
      .list<EndpointSlice>(ENDPOINT_SLICES, namespace)
      .filter(({ metadata: { labels } }) => labels?.[SERVICE_NAME] === name && labels[MANAGED_BY] === MANAGER);
    const nodeOf = (node: string): Node | undefined => this.#slices.get<Node>(NODES, '', node);
    const plan = planSlices({ service, behind, slices, nodeOf });
    for (const slice of plan.update) await this.#slices.update(ENDPOINT_SLICES, slice);
    for (const slice of plan.create) await this.#slices.create(ENDPOINT_SLICES, namespace, slice);
    for (const slice of plan.remove) await this.#slices.remove(ENDPOINT_SLICES, slice);
    const known = this.#endpoints.get<Endpoints>(ENDPOINTS, namespace, name);
    const wanted = wantedEndpoints(service, behind, known);
    if (wanted === undefined) return;
    if (known !== undefined) await this.#endpoints.update(ENDPOINTS, wanted as Endpoints);
    else {
      try {
        await this.#endpoints.create(ENDPOINTS, namespace, wanted);
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
  }

  /** Slices go with their owner; Endpoints have none. */
  async #forget(namespace: string, name: string): Promise<void> {
    const known = this.#endpoints.get<Endpoints>(ENDPOINTS, namespace, name);
    if (known?.metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller')
      await this.#endpoints.remove(ENDPOINTS, known);
  }
}
