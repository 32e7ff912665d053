import { goJson } from '../../../../kubernetes/index.js';
import { type Draft, draftOf, isObject, type JsonObject } from '../../../contract/index.js';
import { internalValue } from '../checks/index.js';
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
 * Source: kubernetes 1.34 `pkg/apis/autoscaling/v1/conversion.go`.
 */
export const autoscalerConversion: VersionConversion = {
  convert: (object, apiVersion) => (apiVersion === 'autoscaling/v1' ? toFirst(object) : toSecond(object)),
  setDefaults: {
    v1(draft) {
      const spec = fieldsOf(draft['spec']);
      spec['minReplicas'] ??= 1;
      // What the conversion comes to.
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

function isCpu(metric: Fields): boolean {
  return metric['type'] === 'Resource' && fieldsOf(metric['resource'])['name'] === 'cpu';
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
  const usage = (metric: Fields): unknown =>
    isCpu(metric) ? fieldsOf(fieldsOf(metric['resource'])['target'])['averageUtilization'] : undefined;
  const others = metrics.filter((metric) => usage(metric) === undefined);
  const current = listOf(status?.['currentMetrics']);
  const conditions = listOf(status?.['conditions']);
  const currentUsage = current.filter(isCpu).map((metric) => fieldsOf(fieldsOf(metric['resource'])['current'])['averageUtilization']);
  const behavior = spec?.['behavior'];
  return {
    kind: object['kind'] ?? 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v1',
    metadata: withAnnotations(metadata ?? {}, {
      [METRICS]: others.length === 0 ? undefined : JSON.stringify(others.map(metricToFirst)),
      [CURRENT]: current.length === 0 ? undefined : JSON.stringify(current.map(currentToFirst)),
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
      currentCPUUtilizationPercentage: currentUsage.filter((value) => value !== undefined).at(-1),
    }),
  } as Draft;
}

function toSecond(object: JsonObject): Draft {
  const { metadata, spec, status } = draftOf(object) as { metadata?: Fields; spec?: Fields; status?: Fields };
  const annotations = annotationsOf(object);
  const usage = spec?.['targetCPUUtilizationPercentage'];
  const own = typeof usage === 'number' ? [cpuMetric(usage)] : [];
  const metrics = [...(listIn(annotations[METRICS])?.map(metricToSecond) ?? []), ...own];
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
      currentMetrics: listIn(annotations[CURRENT])?.map(currentToSecond) ?? ownCurrent,
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

function mapped(metric: Fields, map: (source: Source, fields: Fields) => Fields): Fields {
  const sources = SOURCES.flatMap((source) =>
    metric[source] === undefined ? [] : [[source, present(map(source, fieldsOf(metric[source])))] as const],
  );
  return { type: metric['type'], ...Object.fromEntries(sources) };
}

function metricToFirst(metric: Fields): Fields {
  return mapped(metric, (source, fields) => {
    const target = fieldsOf(fields['target']);
    const { name: metricName, selector } = fieldsOf(fields['metric']);
    const { value, averageValue, averageUtilization } = target;
    switch (source) {
      case 'object':
        return { target: referenceOf(fields['describedObject']), metricName, targetValue: value ?? '0', selector, averageValue };
      case 'pods':
        return { metricName, targetAverageValue: averageValue ?? '0', selector };
      case 'external':
        return { metricName, metricSelector: selector, targetValue: value, targetAverageValue: averageValue };
      case 'resource':
      case 'containerResource':
        return {
          name: fields['name'],
          targetAverageUtilization: averageUtilization,
          targetAverageValue: averageValue,
          container: fields['container'],
        };
    }
  });
}

function metricToSecond(metric: Fields): Fields {
  return mapped(metric, (source, fields) => {
    const { metricName, selector, metricSelector, targetValue, targetAverageValue, averageValue, targetAverageUtilization: usage } = fields;
    switch (source) {
      case 'object':
        return {
          describedObject: referenceOf(fields['target']),
          target: present({ type: averageValue === undefined ? 'Value' : 'AverageValue', value: targetValue, averageValue }),
          metric: present({ name: metricName, selector }),
        };
      case 'pods':
        return {
          metric: present({ name: metricName, selector }),
          target: present({ type: 'AverageValue', averageValue: targetAverageValue }),
        };
      case 'external':
        return {
          metric: present({ name: metricName, selector: metricSelector }),
          target: present({
            type: targetValue === undefined ? 'AverageValue' : 'Value',
            value: targetValue,
            averageValue: targetAverageValue,
          }),
        };
      case 'resource':
      case 'containerResource':
        return {
          name: fields['name'],
          target: present({
            type: usage === undefined ? 'AverageValue' : 'Utilization',
            averageValue: targetAverageValue,
            averageUtilization: usage,
          }),
          container: fields['container'],
        };
    }
  });
}

function currentToFirst(metric: Fields): Fields {
  return mapped(metric, (source, fields) => {
    const { value, averageValue, averageUtilization } = fieldsOf(fields['current']);
    const { name: metricName, selector } = fieldsOf(fields['metric']);
    switch (source) {
      case 'object':
        return { target: referenceOf(fields['describedObject']), metricName, currentValue: value ?? '0', selector, averageValue };
      case 'pods':
        return { metricName, currentAverageValue: averageValue ?? '0', selector };
      case 'external':
        return { metricName, metricSelector: selector, currentValue: value ?? '0', currentAverageValue: averageValue };
      case 'resource':
      case 'containerResource':
        return {
          name: fields['name'],
          currentAverageUtilization: averageUtilization,
          currentAverageValue: averageValue ?? '0',
          container: fields['container'],
        };
    }
  });
}

function currentToSecond(metric: Fields): Fields {
  return mapped(metric, (source, fields) => {
    const { metricName, selector, metricSelector, currentValue, currentAverageValue, averageValue } = fields;
    switch (source) {
      case 'object':
        return {
          metric: present({ name: metricName, selector }),
          current: present({ value: currentValue, averageValue }),
          describedObject: referenceOf(fields['target']),
        };
      case 'pods':
        return { metric: present({ name: metricName, selector }), current: present({ averageValue: currentAverageValue }) };
      case 'external':
        return {
          metric: present({ name: metricName, selector: metricSelector }),
          current: present({ value: currentValue, averageValue: currentAverageValue }),
        };
      case 'resource':
      case 'containerResource':
        return {
          name: fields['name'],
          current: present({ averageValue: currentAverageValue, averageUtilization: fields['currentAverageUtilization'] }),
          container: fields['container'],
        };
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
