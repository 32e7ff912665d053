import type { LoggedRequest, RequestLog, RunningCluster } from '@keelson/testing';
import type { PolicyRule } from 'keelson';
import { SubjectAccessReview } from 'keelson/kinds';

/** What rules of roles grant that no request of the log has used, sorted: `patch leases.coordination.k8s.io`. */
export function unusedRights(rules: readonly PolicyRule[], requests: RequestLog): string[] {
  const used = new Set(requests.all.flatMap(usedBy));
  const granted = rules.flatMap(({ verbs, apiGroups = [], resources = [] }) =>
    resources.flatMap((resource) => apiGroups.flatMap((group) => verbs.map((verb) => rightText(verb, resource, group)))),
  );
  return [...new Set(granted)].filter((right) => !used.has(right)).sort();
}

/** An apply that creates is asked for as a create too. */
function usedBy({ verb, group, resource, subresource, code }: LoggedRequest): string[] {
  const on = subresource === '' ? resource : `${resource}/${subresource}`;
  return [verb, ...(verb === 'patch' && code === 201 ? ['create'] : [])].map((used) => rightText(used, on, group));
}

const rightText = (verb: string, resource: string, group: string): string => `${verb} ${resource}${group === '' ? '' : `.${group}`}`;

/** Waits until a user may not do this any more: the authorizer learns of a changed role by a watch, a moment after the role is stored. */
export async function untilForbidden(
  cluster: RunningCluster,
  user: string,
  resourceAttributes: NonNullable<SubjectAccessReview['spec']['resourceAttributes']>,
): Promise<void> {
  await cluster.until(async () => {
    const { status } = await cluster.client.create(SubjectAccessReview, { metadata: {}, spec: { user, resourceAttributes } });
    return status?.allowed === false;
  });
}
