import { permissionsOf } from 'keelson';
import type { LoggedRequest, RequestLog } from 'keelson/testing';
import { operator } from '../../../examples/memcached/memcached-operator.js';

const NAME = 'memcached-operator';
const CERTIFICATES = {
  mode: 'selfManaged',
  secretName: `${NAME}-certificate`,
  mutatingWebhookConfigurations: [NAME],
  validatingWebhookConfigurations: [NAME],
} as const;

/** Rights of the operator's own that no request of the log has used: `get pods`. */
export function unusedRights(requests: RequestLog): string[] {
  const used = new Set(requests.all.flatMap(usedBy));
  const { cluster, own } = permissionsOf(operator, { leaderElection: { leaseName: NAME }, certificates: CERTIFICATES });
  const granted = [...cluster, ...own].flatMap(({ verbs, apiGroups = [], resources = [] }) =>
    resources.flatMap((resource) => apiGroups.flatMap((group) => verbs.map((verb) => rightText(verb, resource, group)))),
  );
  return granted.filter((right) => !used.has(right));
}

/** An apply that creates is asked for as a create too. */
function usedBy({ verb, group, resource, subresource, code }: LoggedRequest): string[] {
  const on = subresource === '' ? resource : `${resource}/${subresource}`;
  return [verb, ...(verb === 'patch' && code === 201 ? ['create'] : [])].map((used) => rightText(used, on, group));
}

/** Granted, but used by nobody in the suite. */
export const GRANTED_WITH_OTHERS: readonly string[] = [
  // Reading is one right: get, list, watch.
  'get pods',
  'get deployments.apps',
  // A plugin of the API server asks for it, which is not on by default.
  'update memcacheds/finalizers.cache.example.com',
  // A certificate is renewed after months.
  'update secrets',
  // Writing an object that is named is one right: patch, update.
  'patch secrets',
  'patch leases.coordination.k8s.io',
  'update mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'update validatingwebhookconfigurations.admissionregistration.k8s.io',
];

const rightText = (verb: string, resource: string, group: string): string => `${verb} ${resource}${group === '' ? '' : `.${group}`}`;
