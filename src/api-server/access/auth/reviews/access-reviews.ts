import { badRequest, invalidObject } from '../../../status/index.js';
import type { Attributes, Authorizer } from '../attributes.js';
import type { UserInfo } from '../user-info.js';
import { evaluationError } from './evaluation-error.js';
import type { AccessSpec, AnsweredReview, Review, SelfAccessSpec } from './review-spec.js';
import { accessErrors, localAccessErrors, selfAccessErrors } from './validate-access.js';

const GROUP = 'authorization.k8s.io';

/** Answers whether a user may do something. Errors: `StatusError`. Source: kubernetes `pkg/registry/authorization`. */
export function reviewSubjectAccess(review: Review<AccessSpec>, authorizer: Authorizer): AnsweredReview {
  refuse(accessErrors(review));
  return answered('SubjectAccessReview', review, accessStatus(review.spec ?? {}, userOf(review.spec ?? {}), authorizer));
}

/** Answers whether a user may do something in one namespace; for callers that may ask about one namespace only. */
export function reviewLocalSubjectAccess(review: Review<AccessSpec>, namespace: string, authorizer: Authorizer): AnsweredReview {
  refuse(localAccessErrors(review));
  if (namespace === '') throw badRequest('namespace is required on this type: ');
  if (namespace !== (review.metadata?.namespace ?? ''))
    throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
  return answered('LocalSubjectAccessReview', review, accessStatus(review.spec ?? {}, userOf(review.spec ?? {}), authorizer));
}

/** May the one who asks do something? */
export function reviewSelfSubjectAccess(review: Review<SelfAccessSpec>, user: UserInfo, authorizer: Authorizer): AnsweredReview {
  refuse(selfAccessErrors(review));
  return answered('SelfSubjectAccessReview', review, accessStatus(review.spec ?? {}, user, authorizer));
}

/** The server has forgotten the kind by then. */
function refuse(errors: ReturnType<typeof accessErrors>): void {
  if (errors.length > 0) throw invalidObject({ group: GROUP, kind: '' }, '', errors);
}

function answered(kind: string, { metadata = {}, spec }: Review<object>, status: object): AnsweredReview {
  return { kind, apiVersion: `${GROUP}/v1`, metadata, spec: spec ?? {}, status };
}

function accessStatus(spec: SelfAccessSpec, user: UserInfo, authorizer: Authorizer): object {
  const { allowed, reason } = authorizer.authorize(attributesOf(spec, user));
  const error = spec.resourceAttributes ? evaluationError(spec.resourceAttributes) : '';
  return { allowed, ...(reason === '' ? {} : { reason }), ...(error === '' ? {} : { evaluationError: error }) };
}

/** As written: a group that every user has is not added. */
function userOf({ user = '', groups, uid = '', extra }: AccessSpec): UserInfo {
  const lists = Object.entries(extra ?? {}).map(([key, values]) => [key, values ?? []] as const);
  return {
    username: user,
    groups: groups ?? [],
    ...(uid === '' ? {} : { uid }),
    ...(lists.length === 0 ? {} : { extra: Object.fromEntries(lists) }),
  };
}

function attributesOf({ resourceAttributes, nonResourceAttributes }: SelfAccessSpec, user: UserInfo): Attributes {
  if (!resourceAttributes) return { type: 'path', user, verb: nonResourceAttributes?.verb ?? '', path: nonResourceAttributes?.path ?? '' };
  const { verb = '', group = '', resource = '', subresource = '', namespace = '', name = '' } = resourceAttributes;
  return { type: 'resource', user, verb, apiGroup: group, resource, subresource, namespace, name };
}
