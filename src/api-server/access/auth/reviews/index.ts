/** Reviews of `authentication.k8s.io/v1` and `authorization.k8s.io/v1`: an object in, the same with its status out, or a `StatusError`. */
export { reviewLocalSubjectAccess, reviewSelfSubjectAccess, reviewSubjectAccess } from './access-reviews.js';
export { reviewSelfSubject, reviewToken, type TokenReviewSpec } from './authentication-reviews.js';
export type { AccessSpec, AnsweredReview, Review, SelfAccessSpec } from './review-spec.js';
export { type RuleResolver, reviewSelfSubjectRules } from './rules-review.js';
