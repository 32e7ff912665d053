import { goQuote } from '@keelson/kubernetes/apimachinery';
import { forbidden, type StatusError } from '../../status/index.js';
import type { UserInfo } from './user-info.js';

/** A verb on a resource, and its user. */
export interface ResourceAttributes {
  readonly type: 'resource';
  readonly user: UserInfo;
  /** `get`, `list`, …; also `impersonate`, `escalate`, `bind`. */
  readonly verb: string;
  /** '' is the core group. */
  readonly apiGroup: string;
  /** The plural. */
  readonly resource: string;
  readonly subresource?: string;
  /** Absent or '': at the cluster scope, or in all namespaces. */
  readonly namespace?: string;
  /** Absent or '': no single object, as in a list or a create. */
  readonly name?: string;
}

/** A verb on a path outside of resources, and its user. */
export interface PathAttributes {
  readonly type: 'path';
  readonly user: UserInfo;
  /** The method in lower case. */
  readonly verb: string;
  readonly path: string;
}

export type Attributes = ResourceAttributes | PathAttributes;

/** `reason`: why allowed, or what went wrong while looking for a permission; often ''. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

export interface Authorizer {
  authorize(attributes: Attributes): Decision;
}

/** The 403 for what an {@link Authorizer} did not allow. Source of the texts: apiserver `pkg/endpoints/handlers/responsewriters/errors.go`. */
export function forbiddenError(attributes: Attributes, reason: string): StatusError {
  const said = escapeHtml(forbiddenMessage(attributes));
  const text = reason === '' ? said : `${said}: ${reason}`;
  if (attributes.type === 'path') return forbidden({ group: '', plural: '' }, '', text);
  return forbidden({ group: attributes.apiGroup, plural: attributes.resource }, attributes.name ?? '', text);
}

function forbiddenMessage(attributes: Attributes): string {
  const subject = `User ${goQuote(attributes.user.username)} cannot ${attributes.verb}`;
  if (attributes.type === 'path') return `${subject} path ${goQuote(attributes.path)}`;
  const { resource, subresource, apiGroup, namespace } = attributes;
  const what = goQuote(subresource ? `${resource}/${subresource}` : resource);
  const where = namespace ? `in the namespace ${goQuote(namespace)}` : 'at the cluster scope';
  return `${subject} resource ${what} in API group ${goQuote(apiGroup)} ${where}`;
}

/** A browser that is shown the text must not take it for HTML. */
function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
