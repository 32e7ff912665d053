import { forbidden, groupVersionOf, groupVersionProblem, invalid } from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import {
  all,
  atLeast,
  atMost,
  declaredErrors,
  type Errors,
  each,
  needed,
  neededThen,
  nonNegative,
  oneOf,
  pathSegment,
  positive,
  type Rule,
  shape,
  those,
} from '../checks/index.js';
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerSpec, HPAScalingRules, MetricSpec } from '../drafts.js';
import { beginGenerations, countChangedSpec, keepSpec, keepStatus } from '../generation.js';
import { metricRules } from './autoscaler-metrics.js';

/** Source: kubernetes `pkg/registry/autoscaling/horizontalpodautoscaler`, `pkg/apis/autoscaling/{v2,validation}`. */
export const horizontalPodAutoscalers: Behaviour<HorizontalPodAutoscaler> = {
  setDefaults({ spec }) {
    spec.minReplicas ??= 1;
    if ((spec.metrics ?? []).length === 0) spec.metrics = [cpuMetric(80)];
    if (spec.behavior === undefined) return;
    spec.behavior.scaleUp = completed(spec.behavior.scaleUp, {
      stabilizationWindowSeconds: 0,
      selectPolicy: 'Max',
      policies: [
        { type: 'Pods', value: 4, periodSeconds: 15 },
        { type: 'Percent', value: 100, periodSeconds: 15 },
      ],
    });
    spec.behavior.scaleDown = completed(spec.behavior.scaleDown, {
      selectPolicy: 'Max',
      policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
    });
  },

  prepareForCreate(autoscaler) {
    autoscaler.status = { desiredReplicas: 0, currentMetrics: null } as unknown as NonNullable<HorizontalPodAutoscaler['status']>;
    beginGenerations(autoscaler);
  },
  validate: ({ spec }) => specErrors(spec, undefined),
  prepareForUpdate(autoscaler, old) {
    keepStatus(autoscaler, old);
    countChangedSpec(autoscaler, old);
  },
  validateUpdate: ({ spec }, old) => specErrors(spec, old.spec),
  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: ({ status }) => [
    ...nonNegative(status?.currentReplicas, 'status.currentReplicas'),
    ...nonNegative(status?.desiredReplicas, 'status.desiredReplicas'),
  ],
};

export function cpuMetric(averageUtilization: number): MetricSpec {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

function completed(rules: HPAScalingRules | undefined, defaults: HPAScalingRules): HPAScalingRules {
  return { ...defaults, ...rules };
}

const maxReplicasRule = all(needed<number>(), atLeast(1));

type Reference = HorizontalPodAutoscalerSpec['scaleTargetRef'];
/** Accepted apiVersions: any text, the core group too, or only those of groups. */
type Versions = 'any' | 'core' | 'group';

function specErrors(spec: HorizontalPodAutoscalerSpec, old: HorizontalPodAutoscalerSpec | undefined): Errors {
  const { minReplicas, scaleTargetRef: target, metrics = [] } = spec;
  const isSameTarget = old?.scaleTargetRef.apiVersion === target.apiVersion && old?.scaleTargetRef.kind === target.kind;
  const hadBadObject = (old?.metrics ?? []).some(({ object }) => object && apiVersionProblem(object.describedObject, true) !== undefined);
  const scalesToNone = metrics.some(({ type }) => type === 'Object' || type === 'External');
  const toNone = 'must specify at least one Object or External metric to support scaling to zero replicas';
  return those(
    declaredErrors([
      ...nonNegative(minReplicas, 'spec.minReplicas'),
      ...maxReplicasRule(spec.maxReplicas || undefined, 'spec.maxReplicas'),
    ]),
    atLeast(minReplicas ?? -Infinity, 'must be greater than or equal to `minReplicas`')(spec.maxReplicas, 'spec.maxReplicas'),
    reference(isSameTarget ? 'any' : target.kind === 'ReplicationController' ? 'core' : 'group')(target, 'spec.scaleTargetRef'),
    each(metricRules(reference(hadBadObject ? 'any' : 'core')))(metrics, 'spec.metrics'),
    minReplicas === 0 && !scalesToNone && forbidden('spec.metrics', toNone),
    behaviorRules(spec.behavior, 'spec.behavior'),
  );
}

function reference(versions: Versions): Rule<Reference> {
  return all(shape<Reference>({ kind: neededThen(pathSegment), name: neededThen(pathSegment) }), (value, path) => {
    const problem = versions === 'any' || value === undefined ? undefined : apiVersionProblem(value, versions === 'core');
    return problem === undefined ? [] : [invalid(`${path}.apiVersion`, value?.apiVersion ?? '', problem)];
  });
}

function apiVersionProblem({ apiVersion = '' }: Pick<Reference, 'apiVersion'>, allowsCore: boolean): string | undefined {
  const isCore = groupVersionOf(apiVersion).group === '';
  return groupVersionProblem(apiVersion) ?? (isCore && !allowsCore ? 'apiVersion must specify API group' : undefined);
}

const policyRules = shape<NonNullable<HPAScalingRules['policies']>[number]>({
  type: oneOf(['Percent', 'Pods']),
  value: positive,
  periodSeconds: all(positive, atMost(1_800)),
});
const scalingRules = shape<HPAScalingRules>({
  stabilizationWindowSeconds: all(atLeast(0, 'must be greater than or equal to zero'), atMost(3_600)),
  selectPolicy: oneOf(['Disabled', 'Max', 'Min']),
  policies: all(needed('must specify at least one Policy'), each(policyRules)),
});
const behaviorRules = shape<NonNullable<HorizontalPodAutoscalerSpec['behavior']>>({ scaleUp: scalingRules, scaleDown: scalingRules });
