import { nameInGroup } from '@keelson/kubernetes/apimachinery';
/** One request in the log. */
export interface LoggedRequest {
  /** Counts the requests, in the order in which they came in. */
  readonly number: number;
  /** Time of the server. */
  readonly time: Date;
  /** The user whose rights counted; `''` for one that the server does not know. */
  readonly user: string;
  readonly userAgent: string;
  /** As RBAC names it: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; of other paths the method in lower case. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  /** `''` of a path that is not a resource. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  /** `''` of a collection, and of a create. */
  readonly name: string;
  /** Path and query. */
  readonly url: string;
  /** HTTP status; undefined: not answered yet; 0: the connection broke before there was an answer. */
  readonly code: number | undefined;
}

const WRITE_VERBS: ReadonlySet<string> = new Set(['create', 'delete', 'deletecollection', 'patch', 'update']);
/** Their objects are questions: nothing is stored. */
const REVIEW_GROUPS: ReadonlySet<string> = new Set(['authentication.k8s.io', 'authorization.k8s.io']);

/** Whether the request was to change what is stored. Dry runs, reviews and requests for tokens are not. */
export function isWrite({ verb, group, subresource, url }: LoggedRequest): boolean {
  return WRITE_VERBS.has(verb) && !REVIEW_GROUPS.has(group) && subresource !== 'token' && !/[?&]dryRun=/.test(url);
}

/** Refused for want of rights. */
export function isDenied({ code }: LoggedRequest): boolean {
  return code === 403 || code === 401;
}

/** `deployments.apps`; of the core group `pods`; of other paths the path. */
export function subjectText({ group, resource, subresource, url }: LoggedRequest): string {
  if (resource === '') return url;
  return `${nameInGroup(resource, group)}${subresource === '' ? '' : `/${subresource}`}`;
}
