import type { Container, LimitRange, LimitRangeItem, PersistentVolumeClaim, Pod } from '@keelson/kubernetes/kinds';
import type { AdmissionRequest, ClusterView, JsonObject } from '../../../contract/index.js';
import type { AdmissionPlugin } from '../plugin.js';
import { podResources, resourceListOf } from '../pod-resources/index.js';
import { aggregated, refused } from '../refusal.js';
import { type Asked, type Constraint, maximumProblem, minimumProblem, ratioProblem } from './constraints.js';
import { withDefaults } from './defaults.js';

const LIMIT_RANGES = { group: '', plural: 'limitranges' };
const POD_LEVEL: ReadonlySet<string> = new Set(['cpu', 'memory']);

/**
 * LimitRanger: containers get the defaults of the namespace's LimitRanges; pods, containers and claims keep within their bounds. Several LimitRanges are
 * taken in the order of their names (upstream: in none).
 *
 * Source: kubernetes `plugin/pkg/admission/limitranger`.
 */
export function limitRanger(cluster: ClusterView): AdmissionPlugin {
  return {
    name: 'LimitRanger',
    mutate(request) {
      const { object } = request;
      if (object === undefined || !isLimited(request) || request.served.resource.plural !== 'pods') return object;
      return rangesOf(request, cluster).reduce(withDefaults, object as unknown as Pod) as unknown as JsonObject;
    },
    validate(request) {
      if (!isLimited(request)) return;
      for (const range of rangesOf(request, cluster)) {
        const problems = (range.spec?.limits ?? []).flatMap((item) => problemsOf(request, item));
        if (problems.length > 0) throw refused(request, aggregated(problems));
      }
    },
  };
}

/** A pod's resources change by `resize` alone. An object that is being deleted may be changed as is. */
function isLimited({ served: { resource }, operation, subresource, oldObject }: AdmissionRequest): boolean {
  const { deletionTimestamp } = (oldObject?.['metadata'] ?? {}) as { readonly deletionTimestamp?: string };
  if (resource.group !== '' || deletionTimestamp !== undefined) return false;
  if (resource.plural === 'pods') return operation === 'CREATE' ? subresource === '' : operation === 'UPDATE' && subresource === 'resize';
  return resource.plural === 'persistentvolumeclaims' && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE');
}

function rangesOf({ namespace }: AdmissionRequest, cluster: ClusterView): readonly LimitRange[] {
  return cluster.list(LIMIT_RANGES, namespace) as unknown as readonly LimitRange[];
}

function problemsOf({ object, served }: AdmissionRequest, item: LimitRangeItem): readonly string[] {
  if (served.resource.plural === 'persistentvolumeclaims') {
    const { resources } = (object as unknown as PersistentVolumeClaim).spec ?? {};
    const { type, min, max } = item;
    return type === 'PersistentVolumeClaim' ? problemsIn({ type, min, max }, { requests: resourceListOf(resources?.requests) }) : [];
  }
  const { spec } = object as unknown as Pod;
  if (spec === undefined) return [];
  if (item.type === 'Container') {
    return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap((container) => problemsIn(item, askedBy(container)));
  }
  if (item.type !== 'Pod') return [];
  const options = { isPodLevel: (name: string) => POD_LEVEL.has(name) };
  return problemsIn(item, { requests: podResources(spec, 'requests', options), limits: podResources(spec, 'limits', options) });
}

function askedBy({ resources }: Container): Asked {
  return { requests: resourceListOf(resources?.requests), limits: resourceListOf(resources?.limits) };
}

type Bounds = Pick<LimitRangeItem, 'type' | 'min' | 'max' | 'maxLimitRequestRatio'>;

function problemsIn({ type, min, max, maxLimitRequestRatio }: Bounds, asked: Asked): readonly string[] {
  const rules = [
    [min, minimumProblem],
    [max, maximumProblem],
    [maxLimitRequestRatio, ratioProblem],
  ] as const;
  return rules.flatMap(([bounds, problemOf]) =>
    [...resourceListOf(bounds)].flatMap(([resource, enforced]) => {
      const constraint: Constraint = { type, resource, enforced };
      return problemOf(constraint, asked) ?? [];
    }),
  );
}
