import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerSpec, HPAScalingRules, MetricSpec } from '../../../../kinds/index.js';
import { type FieldError, forbidden, invalid, notSupported, pathSegmentProblems, required } from '../../../../kubernetes/index.js';
import type { Behaviour } from '../behaviour.js';
import { type Errors, invalidEach, nonNegative } from '../checks/index.js';
import { keepSpec, keepStatus } from '../generation.js';
import { metricsErrors } from './autoscaler-metrics.js';

const MAX_PERIOD = 1_800;
const MAX_WINDOW = 3_600;

/** Source: kubernetes 1.34 `pkg/registry/autoscaling/horizontalpodautoscaler`, `pkg/apis/autoscaling/{v2,validation}`. */
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
    dropTolerance(autoscaler.spec, undefined);
  },
  validate: ({ spec }) => specErrors(spec, undefined),
  prepareForUpdate(autoscaler, old) {
    keepStatus(autoscaler, old);
    dropTolerance(autoscaler.spec, old.spec);
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

/** Of a feature that is switched off. */
function dropTolerance({ behavior }: HorizontalPodAutoscalerSpec, old: HorizontalPodAutoscalerSpec | undefined): void {
  const rulesOf = (spec: HorizontalPodAutoscalerSpec['behavior']): readonly (HPAScalingRules | undefined)[] => [
    spec?.scaleUp,
    spec?.scaleDown,
  ];
  if (rulesOf(old?.behavior).some((rules) => rules?.tolerance !== undefined)) return;
  for (const rules of rulesOf(behavior)) delete rules?.tolerance;
}

type Reference = HorizontalPodAutoscalerSpec['scaleTargetRef'];

function specErrors(spec: HorizontalPodAutoscalerSpec, old: HorizontalPodAutoscalerSpec | undefined): Errors {
  const { minReplicas, maxReplicas, scaleTargetRef: target, behavior } = spec;
  const least = old?.minReplicas === 0 ? 0 : 1;
  const isSameTarget = old?.scaleTargetRef.apiVersion === target.apiVersion && old?.scaleTargetRef.kind === target.kind;
  const hadBadObject = (old?.metrics ?? []).some(
    ({ object }) => object !== undefined && apiVersionProblem(object.describedObject, true) !== undefined,
  );
  return [
    ...(minReplicas !== undefined && minReplicas < least
      ? [invalid('spec.minReplicas', minReplicas, `must be greater than or equal to ${least}`)]
      : []),
    ...(maxReplicas < 1 ? [invalid('spec.maxReplicas', maxReplicas, 'must be greater than 0')] : []),
    ...(minReplicas !== undefined && maxReplicas < minReplicas
      ? [invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`')]
      : []),
    ...referenceErrors(target, 'spec.scaleTargetRef', isSameTarget ? 'any' : target.kind === 'ReplicationController' ? 'core' : 'group'),
    ...metricsErrors(spec.metrics ?? [], 'spec.metrics', (reference, path) =>
      referenceErrors(reference, path, hadBadObject ? 'any' : 'core'),
    ),
    ...(minReplicas === 0 && !(spec.metrics ?? []).some(({ type }) => type === 'Object' || type === 'External')
      ? [forbidden('spec.metrics', 'must specify at least one Object or External metric to support scaling to zero replicas')]
      : []),
    ...(behavior?.scaleUp === undefined ? [] : rulesErrors(behavior.scaleUp, 'spec.behavior.scaleUp')),
    ...(behavior?.scaleDown === undefined ? [] : rulesErrors(behavior.scaleDown, 'spec.behavior.scaleDown')),
  ];
}

/** @param versions which apiVersions will do: any text, the core group too, or only those of groups */
function referenceErrors(reference: Reference, path: string, versions: 'any' | 'core' | 'group'): Errors {
  const segment = (text: string, field: string): Errors =>
    text === '' ? [required(field)] : invalidEach(field, text, pathSegmentProblems(text));
  const problem = versions === 'any' ? undefined : apiVersionProblem(reference, versions === 'core');
  return [
    ...segment(reference.kind, `${path}.kind`),
    ...segment(reference.name, `${path}.name`),
    ...(problem === undefined ? [] : [invalid(`${path}.apiVersion`, reference.apiVersion ?? '', problem)]),
  ];
}

function apiVersionProblem({ apiVersion = '' }: Pick<Reference, 'apiVersion'>, allowsCore: boolean): string | undefined {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const isCore = parts.length < 2 || parts[0] === '';
  return isCore && !allowsCore ? 'apiVersion must specify API group' : undefined;
}

const SELECT_POLICIES = ['Disabled', 'Max', 'Min'];
const POLICY_TYPES = ['Percent', 'Pods'];

function rulesErrors({ stabilizationWindowSeconds: window, selectPolicy, policies }: HPAScalingRules, path: string): Errors {
  const field = `${path}.stabilizationWindowSeconds`;
  const isLong = window !== undefined && window > MAX_WINDOW;
  return [
    ...(window !== undefined && window < 0 ? [invalid(field, window, 'must be greater than or equal to zero')] : []),
    ...(isLong ? [invalid(field, window, `must be less than or equal to ${MAX_WINDOW}`)] : []),
    ...(selectPolicy === undefined || SELECT_POLICIES.includes(selectPolicy)
      ? []
      : [notSupported(`${path}.selectPolicy`, selectPolicy, SELECT_POLICIES)]),
    ...((policies ?? []).length === 0 ? [required(`${path}.policies`, 'must specify at least one Policy')] : []),
    ...(policies ?? []).flatMap((policy, index) => policyErrors(policy, `${path}.policies[${index}]`)),
  ];
}

function policyErrors(
  { type, value, periodSeconds: period }: NonNullable<HPAScalingRules['policies']>[number],
  path: string,
): readonly FieldError[] {
  return [
    ...(POLICY_TYPES.includes(type) ? [] : [notSupported(`${path}.type`, type, POLICY_TYPES)]),
    ...(value <= 0 ? [invalid(`${path}.value`, value, 'must be greater than zero')] : []),
    ...(period <= 0 ? [invalid(`${path}.periodSeconds`, period, 'must be greater than zero')] : []),
    ...(period > MAX_PERIOD ? [invalid(`${path}.periodSeconds`, period, `must be less than or equal to ${MAX_PERIOD}`)] : []),
  ];
}
