import type {
  ClusterRoleBinding,
  DeviceTaintRule,
  FlowSchema,
  MutatingWebhookConfiguration,
  PriorityLevelConfiguration,
  RbacV1Subject,
  ResourceClaim,
  ResourceSlice,
  RoleBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '@keelson/kubernetes/kinds';
import type { TableConvertor } from '../../contract/index.js';
import { type Named, table } from './table.js';
import { goSelectorText, NONE, UNSET } from './texts.js';

export const bindings: TableConvertor = table<ClusterRoleBinding | RoleBinding>(
  ['Name', 'Role', 'Age', 'Users*', 'Groups*', 'ServiceAccounts*'],
  ({ metadata, roleRef, subjects = [] }, moment) => {
    const named = (kind: string, textOf: (subject: RbacV1Subject) => string): string =>
      subjects
        .filter((subject) => subject.kind === kind)
        .map(textOf)
        .join(', ');
    return [
      metadata.name,
      `${roleRef.kind}/${roleRef.name}`,
      moment.age({ metadata }),
      named('User', ({ name }) => name),
      named('Group', ({ name }) => name),
      named('ServiceAccount', ({ namespace = '', name }) => `${namespace}/${name}`),
    ];
  },
);

export const webhookConfigurations: TableConvertor = table<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>(
  ['Name', 'Webhooks:integer', 'Age'],
  ({ metadata, webhooks }, moment) => [metadata.name, webhooks?.length ?? 0, moment.age({ metadata })],
);

export const admissionPolicies: TableConvertor = table<ValidatingAdmissionPolicy>(
  ['Name', 'Validations:integer', 'ParamKind', 'Age'],
  ({ metadata, spec }, moment) => {
    const { validations, paramKind } = spec ?? {};
    return [metadata.name, validations?.length ?? 0, kindText(paramKind), moment.age({ metadata })];
  },
);

/** A MutatingAdmissionPolicy, as far as it is shown. */
interface MutatingPolicy extends Named {
  readonly spec?: {
    readonly mutations?: readonly object[];
    readonly paramKind?: { readonly apiVersion?: string; readonly kind?: string };
  };
}

export const mutatingPolicies: TableConvertor = table<MutatingPolicy>(
  ['Name', 'Mutations:integer', 'ParamKind', 'Age'],
  ({ metadata, spec: { mutations, paramKind } = {} }, moment) => [
    metadata.name,
    mutations?.length ?? 0,
    kindText(paramKind),
    moment.age({ metadata }),
  ],
);

function kindText(paramKind: { readonly apiVersion?: string | undefined; readonly kind?: string | undefined } | undefined): string {
  return paramKind === undefined ? UNSET : `${paramKind.apiVersion ?? ''}/${paramKind.kind ?? ''}`;
}

export const admissionPolicyBindings: TableConvertor = table<ValidatingAdmissionPolicyBinding>(
  ['Name', 'PolicyName', 'ParamRef', 'Age'],
  ({ metadata, spec }, moment) => [metadata.name, spec?.policyName ?? '', paramText(spec?.paramRef), moment.age({ metadata })],
);

function paramText(reference: NonNullable<ValidatingAdmissionPolicyBinding['spec']>['paramRef']): string {
  if (reference?.name) return `${reference.namespace ? reference.namespace : '*'}/${reference.name}`;
  return reference?.selector === undefined ? UNSET : goSelectorText(reference.selector);
}

export const flowSchemas: TableConvertor = {
  ...table<FlowSchema>(
    ['Name', 'PriorityLevel', 'MatchingPrecedence', 'DistinguisherMethod', 'Age', 'MissingPL'],
    ({ metadata, spec, status }, moment) => [
      metadata.name,
      spec?.priorityLevelConfiguration.name ?? '',
      spec?.matchingPrecedence ?? 0,
      spec?.distinguisherMethod?.type ?? NONE,
      moment.age({ metadata }),
      status?.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
    ],
  ),
  compare(left, right) {
    const [a, b] = [left, right].map((object) => object as unknown as FlowSchema) as [FlowSchema, FlowSchema];
    const byPrecedence = (a.spec?.matchingPrecedence ?? 0) - (b.spec?.matchingPrecedence ?? 0);
    if (byPrecedence !== 0) return byPrecedence;
    return a.metadata.name < b.metadata.name ? -1 : 1;
  },
};

export const priorityLevels: TableConvertor = table<PriorityLevelConfiguration>(
  ['Name', 'Type', 'NominalConcurrencyShares', 'Queues', 'HandSize', 'QueueLengthLimit', 'Age'],
  ({ metadata, spec }, moment) => {
    const { limited } = spec ?? {};
    const queuing = limited?.limitResponse?.queuing;
    const shares = limited === undefined ? NONE : (limited.nominalConcurrencyShares ?? 0);
    const queues = queuing === undefined ? [NONE, NONE, NONE] : [queuing.queues ?? 0, queuing.handSize ?? 0, queuing.queueLengthLimit ?? 0];
    return [metadata.name, spec?.type ?? '', shares, ...queues, moment.age({ metadata })];
  },
);

/** Kinds of which name and age are shown. */
export const namedAndAged: TableConvertor = table<Named>(['Name', 'Age'], (object, moment) => [object.metadata.name, moment.age(object)]);

export const resourceClaims: TableConvertor = table<ResourceClaim>(['Name', 'State', 'Age'], (claim, moment) => [
  claim.metadata.name,
  claimState(claim),
  moment.age(claim),
]);

function claimState({ metadata, status }: ResourceClaim): string {
  const isDeleted = metadata.deletionTimestamp !== undefined;
  const states = isDeleted ? ['deleted'] : [];
  if (status?.allocation !== undefined) states.push('allocated', ...(status.reservedFor?.length ? ['reserved'] : []));
  else if (!isDeleted) states.push('pending');
  return states.join(',');
}

export const resourceSlices: TableConvertor = table<ResourceSlice>(
  ['Name', 'Node', 'Driver', 'Pool', 'Age'],
  ({ metadata, spec }, moment) => [metadata.name, spec.nodeName ?? '', spec.driver, spec.pool.name, moment.age({ metadata })],
);

export const deviceTaintRules: TableConvertor = table<DeviceTaintRule>(
  ['Name', 'Key', 'Value', 'Effect', 'TimeAdded', 'Age'],
  ({ metadata, spec: { taint } }, moment) => [
    metadata.name,
    taint.key,
    taint.value ?? '',
    taint.effect,
    taint.timeAdded === undefined ? '' : moment.since(taint.timeAdded),
    moment.age({ metadata }),
  ],
);
