import type { Container, PodSpec } from '../../../kinds/index.js';
import { largestOf, type ResourceList, resourceListOf, sumOf } from './resource-list.js';

export interface PodResourcesOptions {
  /** Of which resources the pod's own amount counts rather than the sum of its containers'. */
  readonly isPodLevel: (resource: string) => boolean;
}

/**
 * What a pod as a whole asks for: its containers run side by side, its init containers one after the other before them, but for those that go on running.
 *
 * Source: component-helpers `resource/helpers.go`, kubernetes `plugin/pkg/admission/limitranger`.
 */
export function podResources(spec: PodSpec, part: 'requests' | 'limits', { isPodLevel }: PodResourcesOptions): ResourceList {
  const of = ({ resources }: Container): ResourceList => resourceListOf(resources?.[part]);
  let sidecars: ResourceList = new Map();
  let whileStarting: ResourceList = new Map();
  for (const container of spec.initContainers ?? []) {
    const together = sumOf(of(container), sidecars);
    if (container.restartPolicy === 'Always') sidecars = together;
    whileStarting = largestOf(whileStarting, together);
  }
  const running = sumOf(...(spec.containers ?? []).map(of), sidecars);
  const own = [...resourceListOf(spec.resources?.[part])].filter(([name]) => isPodLevel(name));
  return new Map([...largestOf(running, whileStarting), ...own]);
}
