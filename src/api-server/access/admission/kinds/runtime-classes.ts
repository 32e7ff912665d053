import { compareQuantities, equalJson, goQuote } from '@keelson/kubernetes/apimachinery';
import type { Pod, RuntimeClass } from '@keelson/kubernetes/kinds';
import type { AdmissionRequest, ClusterView, JsonObject } from '../../../contract/index.js';
import type { AdmissionPlugin } from '../plugin.js';
import { resourceListOf } from '../pod-resources/index.js';
import { refused } from '../refusal.js';
import { withSpec, writes } from './request-of.js';
import { mergedTolerations } from './tolerations.js';

type PodSpec = NonNullable<Pod['spec']>;

/** RuntimeClass: what a runtime costs and where it is, written into the pods that name it. Source: kubernetes `plugin/pkg/admission/runtimeclass`. */
export function runtimeClass(cluster: ClusterView): AdmissionPlugin {
  return {
    name: 'RuntimeClass',
    mutate(request) {
      const { object } = request;
      if (object === undefined || !isNewPod(request)) return object;
      const spec = (object as unknown as Pod).spec ?? { containers: [] };
      const found = classOf(request, spec, cluster);
      return found === undefined ? object : withClass(request, object, found);
    },
    validate(request) {
      if (!isNewPod(request)) return;
      const spec = (request.object as unknown as Pod).spec ?? { containers: [] };
      const fixed = classOf(request, spec, cluster)?.overhead;
      if (fixed !== undefined) checkOverhead(request, fixed.podFixed, spec.overhead);
      else if (spec.overhead !== undefined) {
        throw refused(request, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
      }
    },
  };
}

function isNewPod(request: AdmissionRequest): boolean {
  return request.operation === 'CREATE' && request.object !== undefined && writes(request, '', 'pods');
}

function classOf(request: AdmissionRequest, { runtimeClassName: name }: PodSpec, cluster: ClusterView): RuntimeClass | undefined {
  if (name === undefined) return undefined;
  const found = cluster.get({ group: 'node.k8s.io', plural: 'runtimeclasses' }, { namespace: '', name });
  if (found === undefined) throw refused(request, `pod rejected: RuntimeClass ${goQuote(name)} not found`);
  return found as unknown as RuntimeClass;
}

function withClass(request: AdmissionRequest, object: JsonObject, { overhead, scheduling }: RuntimeClass): JsonObject {
  const spec = (object as unknown as Pod).spec ?? { containers: [] };
  const isGiven = Object.keys(spec.overhead ?? {}).length > 0;
  if (overhead !== undefined && isGiven) checkOverhead(request, overhead.podFixed, spec.overhead);
  const fixed = overhead?.podFixed;
  return withSpec(object, {
    ...(fixed === undefined ? {} : { overhead: fixed }),
    ...(scheduling === undefined ? {} : scheduled(request, spec, scheduling)),
  });
}

function checkOverhead(request: AdmissionRequest, fixed: object | undefined, given: object | undefined): void {
  const [left, right] = [resourceListOf(fixed), resourceListOf(given)];
  const isSame =
    left.size === right.size &&
    [...left].every(([name, amount]) => {
      const other = right.get(name);
      return other !== undefined && compareQuantities(amount, other) === 0;
    });
  if (!isSame) throw refused(request, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
}

function scheduled(
  request: AdmissionRequest,
  spec: PodSpec,
  { nodeSelector, tolerations = [] }: NonNullable<RuntimeClass['scheduling']>,
): object {
  const { nodeSelector: own, tolerations: given = [] } = spec;
  for (const [key, value] of Object.entries(nodeSelector ?? {})) {
    const asked = own?.[key];
    if (asked === undefined || asked === value) continue;
    throw refused(request, `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${asked}`);
  }
  const selector = { ...own, ...nodeSelector };
  const merged = mergedTolerations(given, tolerations);
  return {
    ...(equalJson(selector, own ?? {}) ? {} : { nodeSelector: selector }),
    ...(equalJson(merged, given) ? {} : { tolerations: merged }),
  };
}
