import { forbidden, notSupported, required } from '@keelson/kubernetes/apimachinery';
import {
  all,
  atLeast,
  containerResourceNameErrors,
  dnsLabel,
  type Errors,
  filled,
  isNegativeAmount,
  isZeroAmount,
  needed,
  neededThen,
  pathSegment,
  type Rule,
  refuse,
  refuseAmount,
  shape,
  those,
} from '../checks/index.js';
import type { HorizontalPodAutoscalerSpec, MetricSpec } from '../drafts.js';

type Reference = HorizontalPodAutoscalerSpec['scaleTargetRef'];
type Target = NonNullable<MetricSpec['resource']>['target'];
type Field = 'containerResource' | 'external' | 'object' | 'pods' | 'resource';

const FIELD_OF: Readonly<Record<string, Field>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

const positiveAmount = refuseAmount((amount) => isNegativeAmount(amount) || isZeroAmount(amount), 'must be positive');

const target = shape<Target>({
  type: all(
    needed('must specify a metric target type'),
    refuse((type) => !['Utilization', 'Value', 'AverageValue'].includes(type), 'must be either Utilization, Value, or AverageValue'),
  ),
  value: positiveAmount,
  averageValue: positiveAmount,
  averageUtilization: atLeast(1, 'must be greater than 0'),
});

const identifier = shape<NonNullable<MetricSpec['pods']>['metric']>({ name: neededThen(pathSegment, 'must specify a metric name') });

/** Neither the average nor the other: reported at the field `at`. */
function eitherOf(other: 'averageUtilization' | 'value', field: string, text: string): Rule<Target> {
  return (value, path) => (value?.averageValue === undefined && value?.[other] === undefined ? [required(`${path}.${field}`, text)] : []);
}

function notBoth(other: 'averageUtilization' | 'value', field: string, text: string): Rule<Target> {
  return (value, path) => (value?.averageValue !== undefined && value[other] !== undefined ? [forbidden(`${path}.${field}`, text)] : []);
}

const utilization = all(
  target,
  eitherOf('averageUtilization', 'averageUtilization', 'must set either a target raw value or a target utilization'),
  notBoth('averageUtilization', 'averageValue', 'may not set both a target raw value and a target utilization'),
);
const resourceName = needed<string>('must specify a resource name');

/** In the order in which the server looks at them: the first is checked, the others are too many. */
function sourceRules(reference: Rule<Reference>): { readonly [F in Field]: Rule<NonNullable<MetricSpec[F]>> } {
  return {
    object: shape<NonNullable<MetricSpec['object']>>({
      describedObject: reference,
      metric: identifier,
      target: all(target, eitherOf('value', 'averageValue', 'must set either a target value or averageValue')),
    }),
    external: shape<NonNullable<MetricSpec['external']>>({
      metric: identifier,
      target: all(
        target,
        eitherOf('value', 'averageValue', 'must set either a target value for metric or a per-pod target'),
        notBoth('value', 'value', 'may not set both a target value for metric and a per-pod target'),
      ),
    }),
    pods: shape<NonNullable<MetricSpec['pods']>>({
      metric: identifier,
      target: all(target, (value, path) =>
        needed('must specify a positive target averageValue')(value?.averageValue, `${path}.averageValue`),
      ),
    }),
    resource: shape<NonNullable<MetricSpec['resource']>>({ name: resourceName, target: utilization }),
    containerResource: shape<NonNullable<MetricSpec['containerResource']>>({
      name: all(
        resourceName,
        filled((name = '', path) => containerResourceNameErrors(name, path)),
      ),
      container: neededThen(dnsLabel, 'must specify a container'),
      target: utilization,
    }),
  };
}

/** Metrics of a HorizontalPodAutoscaler. Source: kubernetes `pkg/apis/autoscaling/validation`. */
export function metricRules(reference: Rule<Reference>): Rule<MetricSpec> {
  const sources = sourceRules(reference);
  return (metric = { type: '' }, path) => {
    const { type } = metric;
    const expected = FIELD_OF[type];
    const unknown = expected === undefined ? [notSupported(`${path}.type`, type, Object.keys(FIELD_OF))] : [];
    const present = (Object.keys(sources) as Field[]).filter((field) => metric[field] !== undefined);
    const [first] = present;
    const tooMany = present.length === 1 ? [] : present.filter((field) => field !== expected);
    return those(
      needed('must specify a metric source type')(type, `${path}.type`),
      unknown,
      first !== undefined && (sources[first] as Rule<unknown>)(metric[first], `${path}.${first}`),
      expected !== undefined && populated(metric[expected], `${path}.${expected}`),
      tooMany.map((field) => forbidden(`${path}.${field}`, 'must populate the given metric source only')),
    );
  };
}

function populated(source: unknown, path: string): Errors {
  return source === undefined ? [required(path, 'must populate information for the given metric source')] : [];
}
