/**
 * The user behind a request and their rights: authentication, RBAC, impersonation and the reviews of both, as functions over facts and plain objects.
 * Nothing here knows of HTTP or of the store.
 */
export {
  type Attributes,
  type Authorizer,
  type Decision,
  forbiddenError,
  type PathAttributes,
  type ResourceAttributes,
} from './attributes.js';
export {
  type Authentication,
  Authenticator,
  type AuthenticatorOptions,
  type BoundObject,
  type Credentials,
  type FindObject,
  Impersonator,
  requestToken,
  ServiceAccountTokens,
  type ServiceAccountTokensOptions,
  SigningKeyError,
  type TokenContent,
  type TokenRequest,
  type TokenRequestContext,
  type TokenVerdict,
} from './authentication/index.js';
export { type BootstrapPolicy, bootstrapPolicy } from './bootstrap-policy.js';
export {
  aggregateClusterRoles,
  type BindingWrite,
  bindingWriteRefusal,
  type ClusterRole,
  RBAC_GROUP,
  RbacAuthorizer,
  type ResolvedRules,
  type Role,
  type RoleBinding,
  type RoleRef,
  type RoleSource,
  type RoleWrite,
  roleWriteRefusal,
  type Subject,
} from './rbac/index.js';
export {
  type AccessSpec,
  type AnsweredReview,
  type Review,
  type RuleResolver,
  reviewLocalSubjectAccess,
  reviewSelfSubject,
  reviewSelfSubjectAccess,
  reviewSelfSubjectRules,
  reviewSubjectAccess,
  reviewToken,
  type SelfAccessSpec,
  type TokenReviewSpec,
} from './reviews/index.js';
export {
  PRIVILEGED_GROUP,
  serviceAccountGroups,
  serviceAccountUsername,
  type UserInfo,
} from './user-info.js';
