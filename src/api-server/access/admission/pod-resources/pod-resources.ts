import { addQuantities } from '@keelson/kubernetes/apimachinery';
import type { Container, Pod, PodSpec } from '@keelson/kubernetes/kinds';
import { largestOf, type ResourceList, resourceListOf, sumOf } from './resource-list.js';

export interface PodResourcesOptions {
  /** The resources for which the pod's own amount counts rather than the sum of its containers'. */
  readonly isPodLevel: (resource: string) => boolean;
  /** The resources that a running container has already. Default: those that its spec asks for. */
  readonly held?: HeldResources;
  /** Adds what the pod's runtime needs for itself. Default false. */
  readonly withOverhead?: boolean;
}

type Part = 'requests' | 'limits';

/** The resources of a container by its name and its spec. */
export type HeldResources = (container: Container, part: Part) => ResourceList;

/**
 * The resources that a pod as a whole asks for: its containers run side by side, its init containers in turn before them, but for those that go on running.
 *
 * Source: component-helpers `resource/helpers.go`, kubernetes `plugin/pkg/admission/limitranger`.
 */
export function podResources(spec: PodSpec, part: Part, options: PodResourcesOptions): ResourceList {
  const { isPodLevel, held = askedOf, withOverhead = false } = options;
  let sidecars: ResourceList = new Map();
  let whileStarting: ResourceList = new Map();
  for (const container of spec.initContainers ?? []) {
    const isSidecar = container.restartPolicy === 'Always';
    const together = sumOf((isSidecar ? held : askedOf)(container, part), sidecars);
    if (isSidecar) sidecars = together;
    whileStarting = largestOf(whileStarting, together);
  }
  const running = sumOf(...(spec.containers ?? []).map((container) => held(container, part)), sidecars);
  const own = [...resourceListOf(spec.resources?.[part])].filter(([name]) => isPodLevel(name));
  const all = new Map([...largestOf(running, whileStarting), ...own]);
  return withOverhead ? withAdded(all, resourceListOf(spec.overhead), part) : all;
}

function askedOf({ resources }: Container, part: Part): ResourceList {
  return resourceListOf(resources?.[part]);
}

/** Where there is no limit, the overhead makes none. */
function withAdded(resources: ResourceList, overhead: ResourceList, part: Part): ResourceList {
  if (part === 'requests') return sumOf(resources, overhead);
  return new Map(
    [...resources].map(([name, amount]) => {
      const added = overhead.get(name);
      return [name, added === undefined || amount.unscaled === 0n ? amount : addQuantities(amount, added)];
    }),
  );
}

/**
 * For containers that are being resized, the larger of what they ask for and what they have counts; where the node cannot fulfil the wish, what they have.
 *
 * Source: component-helpers `resource/helpers.go` (`UseStatusResources`).
 */
export function heldByStatus({ status }: Pod): HeldResources {
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  const isInfeasible = status?.conditions?.find(({ type }) => type === 'PodResizePending')?.reason === 'Infeasible';
  return (container, part) => {
    const found = statuses.find(({ name, resources }) => name === container.name && resources !== undefined);
    if (found === undefined) return askedOf(container, part);
    const has = [resourceListOf(found.resources?.[part]), ...(part === 'requests' ? [resourceListOf(found.allocatedResources)] : [])];
    return largestOf(...(isInfeasible ? [] : [askedOf(container, part)]), ...has);
  };
}
