import {
  dns1035LabelProblems,
  dns1123SubdomainProblems,
  type FieldError,
  goQuote,
  invalid,
  notSupported,
  pathSegmentProblems,
  required,
} from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import { type Errors, invalidEach, pathNames, portNumber, those } from '../checks/index.js';
import type { APIService } from '../drafts.js';
import { keepSpec, keepStatus } from '../generation.js';

const MAX_GROUP_PRIORITY = 20_000;
const MAX_VERSION_PRIORITY = 1_000;

/**
 * This server asks no server that an APIService names: it lists only those that are stored.
 *
 * Source: kube-aggregator `pkg/registry/apiservice`, `pkg/apis/apiregistration/{v1,validation}`.
 */
export const apiServices: Behaviour<APIService> = {
  setDefaults({ spec }) {
    if (spec?.service !== undefined) spec.service.port ??= 443;
  },
  nameProblems: pathNames,
  prepareForCreate(service, { now }) {
    service.status = {};
    if (service.spec?.service !== undefined) return;
    const time = `${now().toISOString().slice(0, 19)}Z` as never;
    const text = 'Local APIServices are always available';
    service.status = { conditions: [{ type: 'Available', status: 'True', lastTransitionTime: time, reason: 'Local', message: text }] };
  },
  validate: serviceErrors,
  prepareForUpdate: keepStatus,
  validateUpdate: serviceErrors,
  revalidatesMetadata: true,
  allowsUnconditionalUpdate: false,

  prepareForStatusUpdate(service, old) {
    keepSpec(service, old);
    const { labels, annotations, finalizers, ownerReferences } = old.metadata as Kept;
    service.metadata = { ...service.metadata, labels, annotations, finalizers, ownerReferences } as APIService['metadata'];
  },
  validateStatusUpdate: ({ status }) =>
    (status?.conditions ?? []).flatMap((condition, index) =>
      STATUSES.includes(condition.status) ? [] : [notSupported(`status.conditions[${index}].status`, condition.status, STATUSES)],
    ),
  resetFields: { '': ['status'], status: ['spec', 'metadata'] },
};

type Kept = Readonly<Record<'annotations' | 'finalizers' | 'labels' | 'ownerReferences', unknown>>;

const STATUSES = ['True', 'False', 'Unknown'];

function serviceErrors({ metadata, spec }: APIService): Errors {
  const { group = '', version = '', service, groupPriorityMinimum, versionPriority, caBundle = '', insecureSkipTLSVerify = false } = spec;
  const range = (value: number, most: number, field: string): readonly FieldError[] =>
    value > 0 && value <= most ? [] : [invalid(`spec.${field}`, value, `must be positive and less than ${most}`)];
  return those(
    nameErrors(metadata, `${version}.${group}`),
    group === '' && version !== 'v1' && required('spec.group', 'only v1 may have an empty group and it better be legacy kube'),
    group !== '' && invalidEach('spec.group', group, dns1123SubdomainProblems(group)),
    invalidEach('spec.version', version, dns1035LabelProblems(version)),
    range(groupPriorityMinimum, MAX_GROUP_PRIORITY, 'groupPriorityMinimum'),
    range(versionPriority, MAX_VERSION_PRIORITY, 'versionPriority'),
    service === undefined ? localErrors(caBundle, insecureSkipTLSVerify) : remoteErrors(service),
    service !== undefined &&
      insecureSkipTLSVerify &&
      caBundle !== '' &&
      invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'),
  );
}

function nameErrors({ name = '' }: Partial<APIService['metadata']>, wanted: string): Errors {
  if (pathSegmentProblems(name).length > 0 || name === wanted) return [];
  return [invalid('metadata.name', name, `must be \`spec.version+"."+spec.group\`: ${goQuote(wanted)}`)];
}

function localErrors(caBundle: string, isInsecure: boolean): Errors {
  const bytes = Buffer.from(caBundle, 'base64').length;
  return those(
    bytes !== 0 && invalid('spec.caBundle', `${bytes} bytes`, 'local APIServices may not have a caBundle'),
    isInsecure && invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify'),
  );
}

function remoteErrors({ namespace = '', name = '', port = 0 }: NonNullable<APIService['spec']['service']>): Errors {
  const [problem] = portNumber(port, 'spec.service.port');
  return those(
    namespace === '' && required('spec.service.namespace'),
    name === '' && required('spec.service.name'),
    problem !== undefined && invalid('spec.service.port', port, 'port is not valid: must be between 1 and 65535, inclusive'),
  );
}
