import { goJson } from '@keelson/kubernetes/apimachinery';
import { type Draft, draftOf, isObject, type JsonObject } from '../../../contract/index.js';
import { internalValue } from '../checks/index.js';
import type { MetricSpec, MetricStatus } from '../drafts.js';
import type { VersionConversion } from '../version-conversion.js';
import { cpuMetric } from './horizontal-pod-autoscaler.js';

const PREFIX = 'autoscaling.alpha.kubernetes.io/';
const METRICS = `${PREFIX}metrics`;
const CURRENT = `${PREFIX}current-metrics`;
const CONDITIONS = `${PREFIX}conditions`;
const BEHAVIOR = `${PREFIX}behavior`;
const OWN = [METRICS, CURRENT, CONDITIONS, BEHAVIOR, `${PREFIX}scale-down-tolerance`, `${PREFIX}scale-up-tolerance`];

type Fields = { [field: string]: unknown };

/**
 * The first version knows the usage of processors only: whatever else a HorizontalPodAutoscaler says is kept there in annotations.
 *
 * Source: kubernetes `pkg/apis/autoscaling/v1/conversion.go`.
 */
export const autoscalerConversion: VersionConversion = {
  convert: (object, apiVersion) => (apiVersion === 'autoscaling/v1' ? toFirst(object) : toSecond(object)),
  setDefaults: {
    v1(draft) {
      const spec = fieldsOf(draft['spec']);
      spec['minReplicas'] ??= 1;
      // The result of the conversion.
      if (spec['targetCPUUtilizationPercentage'] === undefined && annotationsOf(draft)[METRICS] === undefined) {
        spec['targetCPUUtilizationPercentage'] = 80;
      }
    },
  },
};

function fieldsOf(value: unknown): Fields {
  return isObject(value as JsonObject) ? (value as Fields) : {};
}

function annotationsOf(object: JsonObject): Fields {
  return fieldsOf(fieldsOf(object['metadata'])['annotations']);
}

function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function cpuUsage({ type, resource }: Partial<MetricSpec & MetricStatus>, side: 'current' | 'target'): number | undefined {
  return type === 'Resource' && resource?.name === 'cpu' ? resource[side]?.averageUtilization : undefined;
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as readonly Fields[]) : [];
}

function withAnnotations(metadata: Fields, added: Fields): Fields {
  const { annotations, ...rest } = metadata;
  const kept = Object.entries(fieldsOf(annotations)).filter(([key]) => !OWN.includes(key));
  const all = Object.fromEntries([...kept, ...Object.entries(present(added))].sort(([a], [b]) => (a < b ? -1 : 1)));
  return Object.keys(all).length === 0 ? rest : { ...rest, annotations: all };
}

function toFirst(object: JsonObject): Draft {
  const { metadata, spec, status } = draftOf(object) as { metadata?: Fields; spec?: Fields; status?: Fields };
  const metrics = listOf(spec?.['metrics']);
  const usage = (metric: Fields): number | undefined => cpuUsage(metric, 'target');
  const others = metrics.filter((metric) => usage(metric) === undefined);
  const current = listOf(status?.['currentMetrics']);
  const conditions = listOf(status?.['conditions']);
  const behavior = spec?.['behavior'];
  return {
    kind: object['kind'] ?? 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v1',
    metadata: withAnnotations(metadata ?? {}, {
      [METRICS]: others.length === 0 ? undefined : JSON.stringify(others.map((metric) => toFirstMetric(metric, 'target'))),
      [CURRENT]: current.length === 0 ? undefined : JSON.stringify(current.map((metric) => toFirstMetric(metric, 'current'))),
      [CONDITIONS]: conditions.length === 0 ? undefined : JSON.stringify(conditions.map(conditionToFirst)),
      [BEHAVIOR]: behavior === undefined ? undefined : goJson(internalValue('autoscaling/v2.HorizontalPodAutoscalerBehavior', behavior)),
    }),
    spec: present({
      scaleTargetRef: spec?.['scaleTargetRef'],
      minReplicas: spec?.['minReplicas'],
      maxReplicas: spec?.['maxReplicas'],
      targetCPUUtilizationPercentage: metrics.map(usage).find((value) => value !== undefined),
    }),
    status: present({
      observedGeneration: status?.['observedGeneration'],
      lastScaleTime: status?.['lastScaleTime'],
      currentReplicas: status?.['currentReplicas'] ?? 0,
      desiredReplicas: status?.['desiredReplicas'] ?? 0,
      currentCPUUtilizationPercentage: current.map((metric) => cpuUsage(metric, 'current')).findLast((usage) => usage !== undefined),
    }),
  } as Draft;
}

function toSecond(object: JsonObject): Draft {
  const { metadata, spec, status } = draftOf(object) as { metadata?: Fields; spec?: Fields; status?: Fields };
  const annotations = annotationsOf(object);
  const usage = spec?.['targetCPUUtilizationPercentage'];
  const own = typeof usage === 'number' ? [cpuMetric(usage)] : [];
  const metrics = [...(listIn(annotations[METRICS])?.map((metric) => toSecondMetric(metric, 'target')) ?? []), ...own];
  const currentUsage = status?.['currentCPUUtilizationPercentage'];
  const ownCurrent =
    currentUsage === undefined ? null : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: currentUsage } } }];
  const replicas = status?.['currentReplicas'];
  return {
    kind: object['kind'] ?? 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v2',
    metadata: withAnnotations(metadata ?? {}, {}),
    spec: present({
      scaleTargetRef: spec?.['scaleTargetRef'],
      minReplicas: spec?.['minReplicas'],
      maxReplicas: spec?.['maxReplicas'],
      metrics: metrics.length === 0 ? [cpuMetric(80)] : metrics,
      behavior: behaviorIn(annotations[BEHAVIOR]),
    }),
    status: present({
      observedGeneration: status?.['observedGeneration'],
      lastScaleTime: status?.['lastScaleTime'],
      currentReplicas: replicas === 0 ? undefined : replicas,
      desiredReplicas: status?.['desiredReplicas'] ?? 0,
      currentMetrics: listIn(annotations[CURRENT])?.map((metric) => toSecondMetric(metric, 'current')) ?? ownCurrent,
      conditions: listIn(annotations[CONDITIONS]),
    }),
  } as Draft;
}

/** Undefined where an annotation holds no list: it is overlooked. */
function listIn(text: unknown): readonly Fields[] | undefined {
  const value = parsed(text);
  return Array.isArray(value) ? (value as readonly Fields[]).filter((item) => isObject(item as JsonObject)) : undefined;
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** Written with the names of the Go fields. */
function behaviorIn(text: unknown): Fields | undefined {
  const value = lowered(parsed(text));
  const { scaleUp, scaleDown } = fieldsOf(value);
  return scaleUp === undefined && scaleDown === undefined ? undefined : present({ scaleUp, scaleDown });
}

function lowered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowered);
  if (!isObject(value as JsonObject)) return value;
  const entries = Object.entries(value as Fields).filter(([, item]) => item !== null);
  return Object.fromEntries(entries.map(([key, item]) => [`${key.charAt(0).toLowerCase()}${key.slice(1)}`, lowered(item)]));
}

const SOURCES = ['object', 'pods', 'resource', 'containerResource', 'external'] as const;
type Source = (typeof SOURCES)[number];
/** A wished amount, or a measured one: the fields of the first version begin with the word. */
type Side = 'current' | 'target';

function mapped(metric: Fields, map: (source: Source, fields: Fields) => Fields): Fields {
  const sources = SOURCES.filter((source) => metric[source] !== undefined);
  return { type: metric['type'], ...Object.fromEntries(sources.map((source) => [source, present(map(source, fieldsOf(metric[source])))])) };
}

/** Go writes amounts that are not pointers as zero. */
const ZERO = '0';

function toFirstMetric(metric: Fields, side: Side): Fields {
  const orZero = (amount: unknown): unknown => amount ?? (side === 'current' ? ZERO : undefined);
  return mapped(metric, (source, fields) => {
    const { value, averageValue, averageUtilization } = fieldsOf(fields[side]);
    const { name: metricName, selector } = fieldsOf(fields['metric']);
    switch (source) {
      case 'object':
        return { target: referenceOf(fields['describedObject']), metricName, [`${side}Value`]: value ?? ZERO, selector, averageValue };
      case 'pods':
        return { metricName, [`${side}AverageValue`]: averageValue ?? ZERO, selector };
      case 'external':
        return { metricName, metricSelector: selector, [`${side}Value`]: orZero(value), [`${side}AverageValue`]: averageValue };
      default: {
        const amounts = { [`${side}AverageUtilization`]: averageUtilization, [`${side}AverageValue`]: orZero(averageValue) };
        return { name: fields['name'], ...amounts, container: fields['container'] };
      }
    }
  });
}

function toSecondMetric(metric: Fields, side: Side): Fields {
  return mapped(metric, (source, fields) => {
    const { metricName, selector, metricSelector, averageValue: objectAverage } = fields;
    const value = fields[`${side}Value`];
    const usage = fields[`${side}AverageUtilization`];
    const averageValue = source === 'object' ? objectAverage : fields[`${side}AverageValue`];
    const amounts = (type: string): Fields =>
      present({ ...(side === 'target' && { type }), ...(source !== 'pods' && { value }), averageValue, averageUtilization: usage });
    switch (source) {
      case 'object': {
        const describedObject = referenceOf(fields['target']);
        return {
          describedObject,
          [side]: amounts(averageValue === undefined ? 'Value' : 'AverageValue'),
          metric: present({ name: metricName, selector }),
        };
      }
      case 'pods':
        return { metric: present({ name: metricName, selector }), [side]: amounts('AverageValue') };
      case 'external': {
        const type = value === undefined ? 'AverageValue' : 'Value';
        return { metric: present({ name: metricName, selector: metricSelector }), [side]: amounts(type) };
      }
      default: {
        const type = usage === undefined ? 'AverageValue' : 'Utilization';
        return { name: fields['name'], [side]: amounts(type), container: fields['container'] };
      }
    }
  });
}

function referenceOf(value: unknown): Fields {
  const { kind, name, apiVersion } = fieldsOf(value);
  return present({ kind, name, apiVersion });
}

function conditionToFirst(condition: Fields): Fields {
  const { type, status, lastTransitionTime = null, reason, message } = condition;
  return present({ type, status, lastTransitionTime, reason, message });
}
