import type { PolicyRule } from '@keelson/kubernetes/apimachinery';
import { badRequest } from '../../../status/index.js';
import { missingRolesText, type ResolvedRules } from '../rbac/index.js';
import type { UserInfo } from '../user-info.js';
import type { AnsweredReview, Review } from './review-spec.js';

/** Tells the rules of a user; `RbacAuthorizer` does. */
export interface RuleResolver {
  rulesFor(user: UserInfo, namespace: string): ResolvedRules;
}

/** Answers what the client may do in a namespace. Errors: `StatusError`. Source: kubernetes `pkg/registry/authorization/selfsubjectrulesreview`. */
export function reviewSelfSubjectRules(
  review: Review<{ readonly namespace?: string }>,
  user: UserInfo,
  resolver: RuleResolver,
): AnsweredReview {
  const namespace = review.spec?.namespace ?? '';
  if (namespace === '') throw badRequest('no namespace on request');
  const { rules, missing } = resolver.rulesFor(user, namespace);
  return {
    kind: 'SelfSubjectRulesReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    // The server answers with a new object: the question is not repeated.
    spec: {},
    status: {
      resourceRules: rules.filter(({ resources }) => resources?.length).map(resourceRule),
      nonResourceRules: rules.filter(({ nonResourceURLs }) => nonResourceURLs?.length).map(pathRule),
      incomplete: false,
      ...(missing.length === 0 ? {} : { evaluationError: missingRolesText(missing) }),
    },
  };
}

function resourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule): object {
  return {
    verbs,
    ...(apiGroups?.length ? { apiGroups } : {}),
    ...(resources?.length ? { resources } : {}),
    ...(resourceNames?.length ? { resourceNames } : {}),
  };
}

function pathRule({ verbs, nonResourceURLs }: PolicyRule): object {
  return { verbs, nonResourceURLs };
}
