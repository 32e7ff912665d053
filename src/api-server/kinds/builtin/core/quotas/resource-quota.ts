import { compareUtf8, type FieldError, invalid, required } from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../../behaviour.js';
import { type Errors, internalValue, roundResourceList, those } from '../../checks/index.js';
import type { ResourceQuota, ResourceQuotaSpec } from '../../drafts.js';
import { keepSpec, keepStatus } from '../../generation.js';
import { isCountedIn, isQuotaResource, quotaListErrors } from './quota-resources.js';

/** Source: kubernetes `pkg/registry/core/resourcequota`, `pkg/apis/core/validation`. */
export const resourceQuotas: Behaviour<ResourceQuota> = {
  setDefaults({ spec, status }) {
    for (const list of [spec?.hard, status?.hard, status?.used]) roundResourceList(list);
  },
  prepareForCreate(quota) {
    quota.status = {};
  },
  validate: ({ spec }) => specErrors(spec ?? {}),
  prepareForUpdate: keepStatus,
  validateUpdate: ({ spec }, old) => [...specErrors(spec ?? {}), ...changedScopesErrors(spec?.scopes ?? [], old.spec?.scopes ?? [])],
  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: ({ status = {} }) => [
    ...quotaListErrors(status.hard, 'status.hard'),
    ...quotaListErrors(status.used, 'status.used'),
  ],
};

function changedScopesErrors(scopes: readonly string[], old: readonly string[]): Errors {
  const isSame = new Set([...scopes, ...old]).size === new Set(old).size && new Set(scopes).size === new Set(old).size;
  return isSame ? [] : [invalid('spec.scopes', scopes.length === 0 ? null : scopes, 'field is immutable')];
}

const SCOPES = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'VolumeAttributesClass',
  'CrossNamespacePodAffinity',
];

function specErrors(spec: ResourceQuotaSpec): Errors {
  const { hard, scopes } = spec;
  const counted = Object.keys(hard ?? {}).sort(compareUtf8);
  return those(
    quotaListErrors(hard, 'spec.hard'),
    scopeErrors(scopes ?? [], counted),
    spec.scopeSelector !== undefined && selectorErrors(spec, spec.scopeSelector.matchExpressions ?? [], counted),
  );
}

function scopeErrors(scopes: readonly string[], counted: readonly string[]): Errors {
  const errors: FieldError[] = scopes.flatMap((scope) =>
    those(
      !SCOPES.includes(scope) && invalid('spec.scopes', scopes, 'unsupported scope'),
      miscounted(scope, counted).map(() => invalid('spec.scopes', scopes, 'unsupported scope applied to resource')),
    ),
  );
  return [...errors, ...conflictErrors(scopes, scopes, 'spec.scopes')];
}

function miscounted(scope: string, counted: readonly string[]): readonly string[] {
  return counted.filter((name) => isQuotaResource(name) && !isCountedIn(scope, name));
}

const OPPOSITES = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

function conflictErrors(scopes: readonly string[], printed: readonly string[] | null, path: string): Errors {
  return OPPOSITES.filter((pair) => pair.every((scope) => scopes.includes(scope))).map(() => invalid(path, printed, 'conflicting scopes'));
}

type Requirements = NonNullable<NonNullable<ResourceQuotaSpec['scopeSelector']>['matchExpressions']>;

const EXISTS_ONLY = new Set(['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity']);

function selectorErrors(spec: ResourceQuotaSpec, requirements: Requirements, counted: readonly string[]): Errors {
  const path = 'spec.scopeSelector.matchExpressions';
  const errors = requirements.flatMap((requirement) => {
    const { scopeName, operator } = requirement;
    const selector = internalValue('core/v1.ScopeSelector', spec.scopeSelector);
    return those(
      !SCOPES.includes(scopeName) && invalid(`${path}.scopeName`, scopeName, 'unsupported scope'),
      miscounted(scopeName, counted).map(() => invalid(path, selector, 'unsupported scope applied to resource')),
      EXISTS_ONLY.has(scopeName) && operator !== 'Exists' && invalid(`${path}.operator`, operator, EXISTS_ONLY_TEXT),
      operatorErrors(requirement, path),
    );
  });
  const names = requirements.map(({ scopeName }) => scopeName);
  return [...errors, ...conflictErrors(names, spec.scopes ?? null, path)];
}

const EXISTS_ONLY_TEXT =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function operatorErrors({ operator, values }: Requirements[number], path: string): Errors {
  const hasValues = (values ?? []).length > 0;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return hasValues
        ? []
        : [required(`${path}.values`, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector")];
    case 'Exists':
    case 'DoesNotExist':
      return hasValues
        ? [invalid(`${path}.values`, values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector")]
        : [];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}
