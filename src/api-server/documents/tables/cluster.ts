import { compareUtf8, type Json } from '@keelson/kubernetes/apimachinery';
import type {
  APIService,
  ComponentStatus,
  ConfigMap,
  Lease,
  Namespace,
  Node,
  PriorityClass,
  ResourceQuota,
  RuntimeClass,
  Secret,
  ServiceAccount,
} from '@keelson/kubernetes/kinds';
import type { JsonObject, TableConvertor } from '../../contract/index.js';
import { type Named, table } from './table.js';
import { NONE, orNone } from './texts.js';

export const namespaces: TableConvertor = table<Namespace>(['Name', 'Status', 'Age'], (namespace, moment) => [
  namespace.metadata.name,
  namespace.status?.phase ?? '',
  moment.age(namespace),
]);

export const nodes: TableConvertor = table<Node>(
  ['Name', 'Status', 'Roles', 'Age', 'Version', 'Internal-IP*', 'External-IP*', 'OS-Image*', 'Kernel-Version*', 'Container-Runtime*'],
  (node, moment) => {
    const { nodeInfo } = node.status ?? {};
    return [
      node.metadata.name,
      readinessText(node),
      orNone(rolesOf(node).join(',')),
      moment.age(node),
      nodeInfo?.kubeletVersion ?? '',
      addressOf(node, 'InternalIP'),
      addressOf(node, 'ExternalIP'),
      nodeInfo?.osImage || UNKNOWN,
      `${nodeInfo?.kernelVersion || UNKNOWN}${nodeInfo?.architecture ? ` (${nodeInfo.architecture})` : ''}`,
      nodeInfo?.containerRuntimeVersion || UNKNOWN,
    ];
  },
);

const UNKNOWN = '<unknown>';

function readinessText({ spec, status }: Node): string {
  // The later of two conditions of one type counts.
  const ready = status?.conditions?.findLast(({ type }) => type === 'Ready');
  const state = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable === true ? `${state},SchedulingDisabled` : state;
}

const ROLE_PREFIX = 'node-role.kubernetes.io/';

function rolesOf({ metadata }: Named): readonly string[] {
  const roles = Object.entries(metadata.labels ?? {}).map(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return key.slice(ROLE_PREFIX.length);
    return key === 'kubernetes.io/role' ? value : '';
  });
  return [...new Set(roles.filter((role) => role !== ''))].sort();
}

function addressOf({ status }: Node, wanted: string): string {
  return status?.addresses?.find(({ type }) => type === wanted)?.address ?? NONE;
}

/** Events of the core group and of `events.k8s.io`: one kind under other names. */
export const events: TableConvertor = table<JsonObject>(
  ['Last Seen', 'Type', 'Reason', 'Object', 'Subobject*', 'Source*', 'Message', 'First Seen*', 'Count*', 'Name*'],
  (event, moment) => {
    const { metadata, type, reason, target, message, source, reporter, instance, first, last, eventTime, count, series } = eventOf(event);
    const firstSeen = first === undefined ? moment.since(eventTime) : moment.since(first);
    const lastSeen = series === undefined ? (last === undefined ? firstSeen : moment.since(last)) : moment.since(series.lastObservedTime);
    const kind = (target?.kind ?? '').toLowerCase();
    const component = firstOf(source?.component, reporter);
    const host = firstOf(source?.host, instance);
    return [
      lastSeen,
      type ?? '',
      reason ?? '',
      target?.name ? `${kind}/${target.name}` : kind,
      target?.fieldPath ?? '',
      host === '' ? component : `${component}, ${host}`,
      (message ?? '').trim(),
      firstSeen,
      // An event of the new API that happened once has no count.
      series === undefined ? count || 1 : (series.count ?? 0),
      metadata.name,
    ];
  },
);

interface EventFields extends Named {
  readonly type?: string;
  readonly reason?: string;
  readonly target?: { readonly kind?: string; readonly name?: string; readonly fieldPath?: string };
  readonly message?: string;
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly reporter?: string;
  readonly instance?: string;
  readonly first?: string;
  readonly last?: string;
  readonly eventTime?: string;
  readonly count?: number;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string };
}

const CORE_NAMES = {
  target: 'involvedObject',
  message: 'message',
  source: 'source',
  reporter: 'reportingComponent',
  first: 'firstTimestamp',
  last: 'lastTimestamp',
  count: 'count',
};
const NEW_NAMES = {
  target: 'regarding',
  message: 'note',
  source: 'deprecatedSource',
  reporter: 'reportingController',
  first: 'deprecatedFirstTimestamp',
  last: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
};

/** Null is a time that is not set. */
function eventOf(event: JsonObject): EventFields {
  const names = {
    ...(event['apiVersion'] === 'v1' ? CORE_NAMES : NEW_NAMES),
    ...{ metadata: 'metadata', type: 'type', reason: 'reason', instance: 'reportingInstance', eventTime: 'eventTime', series: 'series' },
  };
  const fields = Object.entries(names).map(([name, field]): [string, Json | undefined] => [name, event[field] ?? undefined]);
  return Object.fromEntries(fields) as unknown as EventFields;
}

function firstOf(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text !== '') ?? '';
}

export const configMaps: TableConvertor = table<ConfigMap>(['Name', 'Data', 'Age'], (object, moment) => [
  object.metadata.name,
  Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length,
  moment.age(object),
]);

export const secrets: TableConvertor = table<Secret>(['Name', 'Type', 'Data', 'Age'], (secret, moment) => [
  secret.metadata.name,
  secret.type ?? '',
  Object.keys(secret.data ?? {}).length,
  moment.age(secret),
]);

export const serviceAccounts: TableConvertor = table<ServiceAccount>(['Name', 'Age'], (account, moment) => [
  account.metadata.name,
  moment.age(account),
]);

export const resourceQuotas: TableConvertor = table<ResourceQuota>(['Name', 'Request', 'Limit', 'Age'], (quota, moment) => {
  const { hard = {}, used = {} } = quota.status ?? {};
  const names = Object.keys(hard).sort(compareUtf8);
  const textOf = (list: readonly string[]): string => list.map((name) => `${name}: ${used[name] ?? 0}/${hard[name] ?? 0}`).join(', ');
  const isLimit = (name: string): boolean => name.startsWith('limits.');
  return [quota.metadata.name, textOf(names.filter((name) => !isLimit(name))), textOf(names.filter(isLimit)), moment.age(quota)];
});

export const componentStatuses: TableConvertor = table<ComponentStatus>(
  ['Name', 'Status', 'Message', 'Error'],
  ({ metadata, conditions }) => {
    const healthy = conditions?.find(({ type }) => type === 'Healthy');
    const status = healthy === undefined ? 'Unknown' : healthy.status === 'True' ? 'Healthy' : 'Unhealthy';
    return [metadata.name, status, healthy?.message ?? '', healthy?.error ?? ''];
  },
);

export const leases: TableConvertor = table<Lease>(['Name', 'Holder', 'Age'], (lease, moment) => [
  lease.metadata.name,
  lease.spec?.holderIdentity ?? '',
  moment.age(lease),
]);

export const priorityClasses: TableConvertor = table<PriorityClass>(
  ['Name', 'Value:integer', 'Global-Default:boolean', 'Age', 'PreemptionPolicy'],
  (priorityClass, moment) => [
    priorityClass.metadata.name,
    priorityClass.value ?? 0,
    priorityClass.globalDefault ?? false,
    moment.age(priorityClass),
    priorityClass.preemptionPolicy ?? '',
  ],
);

export const runtimeClasses: TableConvertor = table<RuntimeClass>(['Name', 'Handler', 'Age'], (runtimeClass, moment) => [
  runtimeClass.metadata.name,
  runtimeClass.handler,
  moment.age(runtimeClass),
]);

export const apiServices: TableConvertor = table<APIService>(['Name', 'Service', 'Available', 'Age'], (service, moment) => [
  service.metadata.name,
  service.spec?.service === undefined ? 'Local' : `${service.spec.service.namespace ?? ''}/${service.spec.service.name ?? ''}`,
  availabilityText(service),
  moment.age(service),
]);

function availabilityText({ status }: APIService): string {
  const available = status?.conditions?.find(({ type }) => type === 'Available');
  if (available === undefined) return 'Unknown';
  return available.status === 'True' || !available.reason ? available.status : `${available.status} (${available.reason})`;
}
