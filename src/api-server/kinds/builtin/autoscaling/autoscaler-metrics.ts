import type { HorizontalPodAutoscalerSpec, MetricSpec } from '../../../../kinds/index.js';
import { type FieldError, forbidden, invalid, notSupported, pathSegmentProblems, required } from '../../../../kubernetes/index.js';
import { containerResourceNameErrors, dnsLabel, type Errors, invalidEach, isNegativeAmount, isZeroAmount } from '../checks/index.js';

type Reference = HorizontalPodAutoscalerSpec['scaleTargetRef'];
type ReferenceRule = (reference: Reference, path: string) => Errors;

const TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
/** In the order in which the server looks at them: the first is checked, the others are too many. */
const FIELDS = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;
const FIELD_OF: Readonly<Record<string, (typeof FIELDS)[number]>> = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

/** What a HorizontalPodAutoscaler measures. Source: kubernetes 1.34 `pkg/apis/autoscaling/validation`. */
export function metricsErrors(metrics: readonly MetricSpec[], path: string, checkReference: ReferenceRule): Errors {
  return metrics.flatMap((metric, index) => metricErrors(metric, `${path}[${index}]`, checkReference));
}

function metricErrors(metric: MetricSpec, path: string, checkReference: ReferenceRule): Errors {
  const { type } = metric;
  const errors: FieldError[] = type === '' ? [required(`${path}.type`, 'must specify a metric source type')] : [];
  const unknown = notSupported(`${path}.type`, type, TYPES);
  const expected = FIELD_OF[type];
  if (expected === undefined) errors.push(unknown);
  const present = FIELDS.filter((field) => metric[field] !== undefined);
  const [first] = present;
  if (first !== undefined) errors.push(...sourceErrors(metric, first, { path: `${path}.${first}`, checkReference }));
  if (expected === undefined) errors.push(unknown);
  else if (metric[expected] === undefined) {
    errors.push(required(`${path}.${expected}`, 'must populate information for the given metric source'));
  }
  if (present.length === 1) return errors;
  const tooMany = present.filter((field) => field !== expected);
  return [...errors, ...tooMany.map((field) => forbidden(`${path}.${field}`, 'must populate the given metric source only'))];
}

interface Place {
  readonly path: string;
  readonly checkReference: ReferenceRule;
}

function sourceErrors(metric: MetricSpec, field: (typeof FIELDS)[number], { path, checkReference }: Place): Errors {
  const { object, external, pods, resource, containerResource: container } = metric;
  const target = `${path}.target`;
  if (field === 'object' && object !== undefined) {
    return [
      ...checkReference(object.describedObject, `${path}.describedObject`),
      ...identifierErrors(object.metric, `${path}.metric`),
      ...targetErrors(object.target, target),
      ...(hasNone(object.target, 'value') ? [required(`${target}.averageValue`, 'must set either a target value or averageValue')] : []),
    ];
  }
  if (field === 'external' && external !== undefined) {
    const either = 'must set either a target value for metric or a per-pod target';
    const both = 'may not set both a target value for metric and a per-pod target';
    return [
      ...identifierErrors(external.metric, `${path}.metric`),
      ...targetErrors(external.target, target),
      ...(hasNone(external.target, 'value') ? [required(`${target}.averageValue`, either)] : []),
      ...(hasBoth(external.target, 'value') ? [forbidden(`${target}.value`, both)] : []),
    ];
  }
  if (field === 'pods' && pods !== undefined) {
    return [
      ...identifierErrors(pods.metric, `${path}.metric`),
      ...targetErrors(pods.target, target),
      ...(pods.target.averageValue === undefined
        ? [required(`${target}.averageValue`, 'must specify a positive target averageValue')]
        : []),
    ];
  }
  const measured = container ?? resource;
  if (measured === undefined) return [];
  const { name } = measured;
  const nameRequired = name === '' ? [required(`${path}.name`, 'must specify a resource name')] : [];
  return [
    ...nameRequired,
    ...(container === undefined ? [] : containerErrors(container, path)),
    ...targetErrors(measured.target, target),
    ...utilizationErrors(measured.target, target),
  ];
}

function containerErrors({ name, container }: NonNullable<MetricSpec['containerResource']>, path: string): Errors {
  const field = `${path}.container`;
  return [
    ...(name === '' ? [] : containerResourceNameErrors(name, `${path}.name`)),
    ...(container === '' ? [required(field, 'must specify a container')] : dnsLabel(container, field)),
  ];
}

type Target = NonNullable<MetricSpec['resource']>['target'];

function utilizationErrors(target: Target, path: string): Errors {
  const text = 'a target raw value';
  return [
    ...(hasNone(target, 'averageUtilization')
      ? [required(`${path}.averageUtilization`, `must set either ${text} or a target utilization`)]
      : []),
    ...(hasBoth(target, 'averageUtilization')
      ? [forbidden(`${path}.averageValue`, `may not set both ${text} and a target utilization`)]
      : []),
  ];
}

function hasNone(target: Target, other: 'averageUtilization' | 'value'): boolean {
  return target.averageValue === undefined && target[other] === undefined;
}

function hasBoth(target: Target, other: 'averageUtilization' | 'value'): boolean {
  return target.averageValue !== undefined && target[other] !== undefined;
}

function targetErrors({ type, value, averageValue, averageUtilization }: Target, path: string): Errors {
  const positive = (amount: number | string | undefined, field: string): Errors =>
    amount !== undefined && (isNegativeAmount(amount) || isZeroAmount(amount)) ? [invalid(field, String(amount), 'must be positive')] : [];
  const isKnown = ['Utilization', 'Value', 'AverageValue'].includes(type);
  return [
    ...(type === '' ? [required(`${path}.type`, 'must specify a metric target type')] : []),
    ...(isKnown ? [] : [invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...positive(value, `${path}.value`),
    ...positive(averageValue, `${path}.averageValue`),
    ...(averageUtilization !== undefined && averageUtilization < 1
      ? [invalid(`${path}.averageUtilization`, averageUtilization, 'must be greater than 0')]
      : []),
  ];
}

function identifierErrors({ name }: { readonly name: string }, path: string): Errors {
  const field = `${path}.name`;
  return name === '' ? [required(field, 'must specify a metric name')] : invalidEach(field, name, pathSegmentProblems(name));
}
