/**
 * Access to the API: the user who asks (authentication), whether it may (authorization), whether the object may pass (admission), and the certificates
 * and webhook calls of both.
 */
export { type AdmissionPlugin, countsResource, defaultAdmission, quotaUsage } from './admission/index.js';
export {
  type AnsweredReview,
  type Attributes,
  Authenticator,
  type Authorizer,
  aggregateClusterRoles,
  type BindingWrite,
  type BoundObject,
  bindingWriteRefusal,
  bootstrapPolicy,
  type ClusterRole,
  type FindObject,
  forbiddenError,
  Impersonator,
  PRIVILEGED_GROUP,
  RBAC_GROUP,
  RbacAuthorizer,
  type Review,
  type Role,
  type RoleBinding,
  type RoleSource,
  type RoleWrite,
  requestToken,
  reviewLocalSubjectAccess,
  reviewSelfSubject,
  reviewSelfSubjectAccess,
  reviewSelfSubjectRules,
  reviewSubjectAccess,
  reviewToken,
  roleWriteRefusal,
  ServiceAccountTokens,
  serviceAccountGroups,
  serviceAccountUsername,
  type TokenRequest,
  type UserInfo,
} from './auth/index.js';
export { type ClientIdentity, clientIdentity, pemBlocks, readCertificateRequest, ServerCertificates } from './certificates/index.js';
export { type ServiceResolver, WebhookClient } from './webhook-client/index.js';
