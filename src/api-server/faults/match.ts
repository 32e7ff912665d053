import { type KindInfo, nameInGroup } from '@keelson/kubernetes/apimachinery';
import type { InterceptedRequest } from '../http/index.js';

/** Verbs as RBAC names them. */
export type RequestVerb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

export const WRITE_VERBS: readonly RequestVerb[] = ['create', 'delete', 'deletecollection', 'patch', 'update'];

/** A kind, or a resource by its name: `pods`, `deployments.apps`. */
export type KindOrResource = Pick<KindInfo, 'group' | 'plural'> | string;

/** Which requests are meant; what is left out does not restrict. */
export interface RequestMatch {
  readonly verb?: RequestVerb | readonly RequestVerb[];
  readonly kind?: KindOrResource;
  /** `''`: requests for the object itself. Default: those too, and all subresources. */
  readonly subresource?: string;
  readonly namespace?: string;
  /** For a list or a watch: the name that it selects by `metadata.name`. */
  readonly name?: string;
  /** Default: all users but the test itself (what it asks through its cluster). */
  readonly user?: string;
}

/** The facts to match. */
export type MatchedRequest = Pick<InterceptedRequest, 'info' | 'user'>;

export function matches(rule: RequestMatch, { info, user }: MatchedRequest, exempt: ReadonlySet<string>): boolean {
  if (!info.isResourceRequest) return false;
  if (rule.user === undefined ? exempt.has(user.username) : rule.user !== user.username) return false;
  const verbs: readonly string[] = typeof rule.verb === 'string' ? [rule.verb] : (rule.verb ?? [info.verb]);
  return (
    verbs.includes(info.verb) &&
    (rule.kind === undefined || resourceName(rule.kind) === resourceName({ group: info.group, plural: info.resource })) &&
    (rule.subresource ?? info.subresource) === info.subresource &&
    (rule.namespace ?? info.namespace) === info.namespace &&
    (rule.name ?? info.name) === info.name
  );
}

/** `deployments.apps`; of the core group `pods`. */
export function resourceName(kind: KindOrResource): string {
  return typeof kind === 'string' ? kind : nameInGroup(kind.plural, kind.group);
}
