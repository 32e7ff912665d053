import { type FieldError, invalid, required, validateAnnotations, validateLabels } from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import {
  collisionCountErrors,
  counters,
  dnsLabel,
  type Errors,
  immutable,
  internalValue,
  intOrPercentValue,
  labelNames,
  nonNegative,
  notMoreThan100Percent,
  oneOf,
  positiveIntOrPercent,
  printedSelector,
  roundResourceList,
  selects,
  those,
} from '../checks/index.js';
import {
  claimSpecErrors,
  lastingPodErrors,
  matchedTemplateErrors,
  podAnnotationErrors,
  podTemplateErrors,
  replicated,
  selectorErrors,
  setClaimSpecDefaults,
  setPodTemplateDefaults,
  templateWarnings,
} from '../core/index.js';
import type { PersistentVolumeClaim, PodTemplateSpec, StatefulSet, StatefulSetSpec, StatefulSetStatus } from '../drafts.js';

const frame = replicated<StatefulSet>({
  newStatus: () => ({ replicas: 0, availableReplicas: 0 }),
  templateOf: ({ spec }) => spec.template,
});

const STATUS = counters<StatefulSetStatus>(
  [
    ...(['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const),
    ...(['observedGeneration', 'collisionCount'] as const),
  ],
  {
    of: ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
    most: 'replicas',
    text: 'cannot be greater than status.replicas',
  },
  { of: ['availableReplicas'], most: 'readyReplicas', text: 'cannot be greater than status.readyReplicas' },
);

/** Source: kubernetes `pkg/registry/apps/statefulset`, `pkg/apis/apps/{v1,validation}`. */
export const statefulSets: Behaviour<StatefulSet> = {
  setDefaults: ({ spec }) => setDefaults(spec),
  nameProblems: labelNames,

  ...frame,
  validate: ({ spec }) => specErrors(spec, { isCreation: true }),
  warningsOnCreate: ({ spec }) => [...templateWarnings(spec.template, 'spec.template'), ...historyWarnings(spec)],
  validateUpdate: ({ spec }, old) => [...specErrors(spec, { isCreation: false }), ...fixedFieldsErrors(spec, old.spec)],
  warningsOnUpdate: (set, old) => [...frame.warningsOnUpdate(set, old), ...historyWarnings(set.spec)],

  validateStatusUpdate: ({ status }, old) => [
    ...STATUS(status, 'status'),
    ...collisionCountErrors(status?.collisionCount, old.status?.collisionCount),
  ],
};

function setDefaults(spec: StatefulSetSpec): void {
  spec.podManagementPolicy ||= 'OrderedReady';
  spec.updateStrategy ??= {};
  const { updateStrategy } = spec;
  if ((updateStrategy.type ?? '') === '') {
    updateStrategy.type = 'RollingUpdate';
    updateStrategy.rollingUpdate ??= {};
  }
  if (updateStrategy.type === 'RollingUpdate' && updateStrategy.rollingUpdate !== undefined) {
    updateStrategy.rollingUpdate.partition ??= 0;
    updateStrategy.rollingUpdate.maxUnavailable ??= 1;
  }
  spec.persistentVolumeClaimRetentionPolicy ??= {};
  spec.persistentVolumeClaimRetentionPolicy.whenDeleted ||= 'Retain';
  spec.persistentVolumeClaimRetentionPolicy.whenScaled ||= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  setPodTemplateDefaults(spec.template);
  for (const template of spec.volumeClaimTemplates ?? []) setClaimDefaults(template as PersistentVolumeClaim);
}

function setClaimDefaults(claim: PersistentVolumeClaim): void {
  Object.assign(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
  claim.status ??= {};
  claim.status.phase ||= 'Pending';
  const written = claim as { spec?: PersistentVolumeClaim['spec'] };
  written.spec ??= {};
  setClaimSpecDefaults(written.spec);
  roundResourceList(claim.status.capacity);
  roundResourceList(claim.status.allocatedResources);
}

function historyWarnings({ revisionHistoryLimit = 0 }: StatefulSetSpec): readonly string[] {
  const text = 'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';
  return revisionHistoryLimit < 0 ? [text] : [];
}

function specErrors(spec: StatefulSetSpec, { isCreation }: { readonly isCreation: boolean }): Errors {
  const { podManagementPolicy: policy, serviceName = '', selector, persistentVolumeClaimRetentionPolicy: retention } = spec;
  const isKnown = policy === 'OrderedReady' || policy === 'Parallel';
  const retentionPath = 'spec.persistentVolumeClaimRetentionPolicy';
  return those(
    !isKnown && invalid('spec.podManagementPolicy', policy ?? '', "must be 'OrderedReady' or 'Parallel'"),
    strategyErrors(spec.updateStrategy ?? {}, 'spec.updateStrategy'),
    oneOf(['Retain', 'Delete'])(retention?.whenDeleted, `${retentionPath}.whenDeleted`),
    oneOf(['Retain', 'Delete'])(retention?.whenScaled, `${retentionPath}.whenScaled`),
    (isCreation ? (spec.volumeClaimTemplates ?? []) : []).flatMap(({ spec: claim }, index) =>
      claimSpecErrors(claim ?? {}, `spec.volumeClaimTemplates[${index}].spec`),
    ),
    nonNegative(spec.replicas, 'spec.replicas'),
    nonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    nonNegative(spec.ordinals?.start, 'spec.ordinals.start'),
    isCreation && serviceName !== '' && dnsLabel(serviceName, 'spec.serviceName'),
    selectorErrors(selector, 'spec.selector', 'statefulset'),
    templateErrors(spec),
    lastingPodErrors(spec.template.spec, 'spec.template.spec', 'StatefulSet'),
  );
}

type Strategy = NonNullable<StatefulSetSpec['updateStrategy']>;

function strategyErrors(strategy: Strategy, path: string): Errors {
  const { type, rollingUpdate } = strategy;
  const field = `${path}.rollingUpdate`;
  switch (type as string | undefined) {
    case undefined:
    case '':
      return [required(path)];
    case 'OnDelete': {
      if (rollingUpdate === undefined) return [];
      const printed = internalValue('apps/v1.RollingUpdateStatefulSetStrategy', rollingUpdate);
      return [invalid(field, printed, "only allowed for updateStrategy 'RollingUpdate'")];
    }
    case 'RollingUpdate':
      return rollingUpdate === undefined ? [] : rollingUpdateErrors(rollingUpdate, field);
    default:
      return [invalid(path, internalValue('apps/v1.StatefulSetUpdateStrategy', strategy), "must be 'RollingUpdate' or 'OnDelete'")];
  }
}

function rollingUpdateErrors({ partition, maxUnavailable }: NonNullable<Strategy['rollingUpdate']>, path: string): Errors {
  const errors: FieldError[] = [...nonNegative(partition, `${path}.partition`)];
  if (maxUnavailable === undefined) return errors;
  const field = `${path}.maxUnavailable`;
  errors.push(...positiveIntOrPercent(maxUnavailable, field));
  if (intOrPercentValue(maxUnavailable) === 0) errors.push(invalid(field, maxUnavailable, 'cannot be 0'));
  return [...errors, ...notMoreThan100Percent(maxUnavailable, field)];
}

/** The controller gives pods their names and their claims: what the template says of that is not looked at. */
function templateErrors(spec: StatefulSetSpec): Errors {
  const { selector, template } = spec;
  const matching = matchedTemplateErrors({ selector, template }, 'spec', '');
  if (selects(selector, template.metadata?.labels) === undefined) return matching;
  const { labels = {}, annotations = {} } = template.metadata ?? {};
  return [
    ...matching,
    ...podTemplateErrors(withClaims(spec), 'spec.template'),
    ...validateLabels(labels, 'spec.template.labels'),
    ...validateAnnotations(annotations, 'spec.template.annotations'),
    ...podAnnotationErrors(annotations, template.spec ?? { containers: [] }, 'spec.template.annotations'),
  ];
}

function withClaims({ template, volumeClaimTemplates = [] }: StatefulSetSpec): PodTemplateSpec {
  if (template.spec === undefined) return template;
  const { subdomain: _subdomain, hostname: _hostname, ...spec } = template.spec;
  const names = new Set(volumeClaimTemplates.map(({ metadata }) => metadata?.name ?? ''));
  const claims = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const volumes = [...claims, ...(spec.volumes ?? []).filter(({ name }) => !names.has(name))];
  return { ...template, spec: claims.length === 0 ? spec : { ...spec, volumes } };
}

function fixedFieldsErrors(spec: StatefulSetSpec, old: StatefulSetSpec): Errors {
  const printed = {
    selector: printedSelector(spec.selector),
    volumeClaimTemplates: (spec.volumeClaimTemplates ?? []).map((claim) => internalValue('core/v1.PersistentVolumeClaim', claim)),
    serviceName: spec.serviceName ?? '',
    podManagementPolicy: spec.podManagementPolicy ?? '',
  };
  return (['selector', 'volumeClaimTemplates', 'serviceName', 'podManagementPolicy'] as const).flatMap((field) =>
    immutable(spec[field], old[field], `spec.${field}`, printed[field]),
  );
}
