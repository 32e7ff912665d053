import { badRequest, internalError } from '../../../status/index.js';
import type { Authenticator } from '../authentication/index.js';
import { type UserInfo, userInfoFields } from '../user-info.js';
import type { AnsweredReview, Review } from './review-spec.js';

const API_VERSION = 'authentication.k8s.io/v1';

export interface TokenReviewSpec {
  readonly token?: string;
  readonly audiences?: readonly string[] | null;
}

/** Answers whose token it is. Errors: `StatusError`. Source: kubernetes `pkg/registry/authentication/tokenreview`. */
export function reviewToken(review: Review<TokenReviewSpec>, authenticator: Authenticator): AnsweredReview {
  const { token = '', audiences } = review.spec ?? {};
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const wanted = audiences?.length ? audiences : authenticator.audiences;
  const result = authenticator.authenticate({ authorization: `Bearer ${token}` }, wanted);
  const answer = { kind: 'TokenReview', apiVersion: API_VERSION, metadata: review.metadata ?? {}, spec: review.spec };
  if (result.type === 'refused') return { ...answer, status: { user: {}, error: result.error } };
  if (!result.audiences.some((audience) => wanted.includes(audience))) throw internalError('error validating audiences');
  return { ...answer, status: { authenticated: true, user: userInfoFields(result.user), audiences: result.audiences } };
}

/** Answers who the client is. Source: kubernetes `pkg/registry/authentication/selfsubjectreview`. @param creationTimestamp RFC 3339 */
export function reviewSelfSubject(user: UserInfo, creationTimestamp: string): AnsweredReview {
  return {
    kind: 'SelfSubjectReview',
    apiVersion: API_VERSION,
    metadata: { creationTimestamp },
    status: { userInfo: userInfoFields(user) },
  };
}
