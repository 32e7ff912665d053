import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus, MetricTarget, MetricValueStatus } from '@keelson/kubernetes/kinds';
import { isObject, type JsonObject, type TableConvertor } from '../../contract/index.js';
import { table } from './table.js';
import { NONE, UNSET } from './texts.js';

const COLUMNS = ['Name', 'Reference', 'Targets', 'MinPods', 'MaxPods', 'Replicas', 'Age'];
const MOST = 2;
const UNKNOWN = '<unknown>';

const preferred = table<HorizontalPodAutoscaler>(COLUMNS, (autoscaler, moment) => {
  const { metadata, spec, status } = autoscaler;
  return [
    metadata.name,
    `${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`,
    metricsText(spec.metrics ?? [], status?.currentMetrics ?? []),
    spec.minReplicas === undefined ? UNSET : String(spec.minReplicas),
    spec.maxReplicas,
    status?.currentReplicas ?? 0,
    moment.age(autoscaler),
  ];
});

/** One function for all versions: the table always shows the metrics of `v2`. */
export const autoscalers: TableConvertor = {
  columns: preferred.columns,
  cells: (object, now) => preferred.cells(object['apiVersion'] === 'autoscaling/v1' ? asPreferred(object) : object, now),
};

function metricsText(specs: readonly MetricSpec[], statuses: readonly MetricStatus[]): string {
  if (specs.length === 0) return NONE;
  const list = specs.map((spec, index) => metricText(spec, statuses[index]));
  const shown = list.slice(0, MOST).join(', ');
  return list.length > MOST ? `${shown} + ${list.length - MOST} more...` : shown;
}

function metricText({ type, external, object, pods, resource, containerResource }: MetricSpec, status: MetricStatus | undefined): string {
  if (type === 'External' && external !== undefined) return valueText(external.target, status?.external?.current);
  if (type === 'Object' && object !== undefined) return valueText(object.target, status?.object?.current);
  if (type === 'Pods' && pods !== undefined)
    return `${amount(status?.pods?.current, 'averageValue')}/${pods.target.averageValue ?? '<nil>'}`;
  if (type === 'Resource' && resource !== undefined) return usageText(resource, status?.resource?.current);
  if (type === 'ContainerResource' && containerResource !== undefined)
    return usageText(containerResource, status?.containerResource?.current);
  return '<unknown type>';
}

/** Something is known of the metric, though perhaps not this: Go prints a missing quantity so. */
function amount(current: MetricValueStatus | undefined, field: 'averageValue' | 'value'): string {
  return current === undefined ? UNKNOWN : String(current[field] ?? '<nil>');
}

function valueText({ averageValue, value }: MetricTarget, current: MetricValueStatus | undefined): string {
  if (averageValue === undefined) return `${amount(current, 'value')}/${value ?? '<nil>'}`;
  return `${current?.averageValue ?? UNKNOWN}/${averageValue} (avg)`;
}

function usageText(
  { name, target }: { readonly name: string; readonly target: MetricTarget },
  current: MetricValueStatus | undefined,
): string {
  if (target.averageValue !== undefined) return `${name}: ${amount(current, 'averageValue')}/${target.averageValue}`;
  const used = current?.averageUtilization === undefined ? UNKNOWN : `${current.averageUtilization}%`;
  const wanted = target.averageUtilization === undefined ? '<auto>' : `${target.averageUtilization}%`;
  return `${name}: ${used}/${wanted}`;
}

const ANNOTATION = 'autoscaling.alpha.kubernetes.io/';

/**
 * An object of `autoscaling/v1` with the metrics of `v2`: CPU has a field of its own, the others are in annotations.
 * Source: kubernetes `pkg/apis/autoscaling/v1/conversion.go`.
 */
function asPreferred(object: JsonObject): JsonObject {
  const [spec, status, metadata] = [object['spec'], object['status'], object['metadata']].map((part) => (isObject(part) ? part : {}));
  const annotations = isObject(metadata?.['annotations']) ? metadata['annotations'] : {};
  const cpu = (field: string, value: unknown): JsonObject[] =>
    typeof value === 'number' ? [{ type: 'Resource', resource: { name: 'cpu', [field]: { averageUtilization: value } } }] : [];
  const wanted = [
    ...listOf(annotations[`${ANNOTATION}metrics`]).map((metric) => metricAsPreferred(metric, { place: 'target', prefix: 'target' })),
    ...cpu('target', spec?.['targetCPUUtilizationPercentage']),
  ];
  const told = annotations[`${ANNOTATION}current-metrics`];
  const current =
    told === undefined
      ? cpu('current', status?.['currentCPUUtilizationPercentage'])
      : listOf(told).map((metric) => metricAsPreferred(metric, { place: 'current', prefix: 'current' }));
  // An autoscaler without metrics wants 80% of the CPU.
  const metrics = wanted.length === 0 ? cpu('target', 80) : wanted;
  return { ...object, spec: { ...spec, metrics }, status: { ...status, currentMetrics: current } };
}

function listOf(text: unknown): readonly JsonObject[] {
  if (typeof text !== 'string') return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? (value as readonly JsonObject[]).filter((item) => isObject(item)) : [];
  } catch {
    // As in the server: an annotation with nonsense counts as absent.
    return [];
  }
}

const SOURCES: Readonly<Record<string, string>> = {
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

function metricAsPreferred(metric: JsonObject, { place, prefix }: { readonly place: string; readonly prefix: string }): JsonObject {
  const key = SOURCES[String(metric['type'])] ?? '';
  const source = metric[key];
  if (!isObject(source)) return metric;
  const fields = {
    value: source[`${prefix}Value`],
    averageValue: source[`${prefix}AverageValue`] ?? source['averageValue'],
    averageUtilization: source[`${prefix}AverageUtilization`],
  };
  const values = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
  return { ...metric, [key]: { ...source, [place]: values } };
}
