import { permissionsOf } from 'keelson';
import { operator } from '../../../examples/memcached/memcached-operator.js';

const NAME = 'memcached-operator';
const CERTIFICATES = {
  mode: 'selfManaged',
  secretName: `${NAME}-certificate`,
  mutatingWebhookConfigurations: [NAME],
  validatingWebhookConfigurations: [NAME],
} as const;

/** The rules of the operator's roles. */
export function grantedRules(): ReturnType<typeof permissionsOf>['cluster'] {
  const { cluster, own } = permissionsOf(operator, { leaderElection: { leaseName: NAME }, certificates: CERTIFICATES });
  return [...cluster, ...own];
}

/** A plugin of the API server asks for it, and no request: docs/decisions/014-rights-in-use.md. */
export const ASKED_BY_A_PLUGIN = 'update memcacheds/finalizers.cache.example.com';
