/**
 * Admission webhooks and policies: handlers, their selection, exemptions. The ways in are `defaulting`, `validating`, `mutating`, `validatingPolicy` and
 * `mutatingPolicy`.
 */
export type { Webhook } from './admission-webhook.js';
export type {
  AdmissionContext,
  AdmissionHandles,
  AdmissionKinds,
  AdmissionOptions,
  Admitted,
  AdmittedOf,
  DefaultingOptions,
  Mutate,
  MutatingOptions,
  Mutation,
  NoWatches,
  OwnKind,
  Refusal,
  ReservedAdmissionName,
  UpdateContext,
  UserInfo,
  Validate,
  ValidatingHandlers,
  Verdict,
} from './handler.js';
export {
  type MutatingPolicy,
  type MutatingPolicyOptions,
  mutatingPolicy,
  type PolicyMutation,
  type PolicyParams,
} from './mutating-policy.js';
export { type WebhookRule, webhookRules } from './rules.js';
export type {
  BindingRequest,
  EvictionRequest,
  PodAttachOptions,
  PodExecOptions,
  PodPortForwardOptions,
  ProxyOptions,
  ScaleRequest,
  SubresourceObject,
  TokenRequest,
} from './subresource.js';
export { type Policy, type PolicyOptions, type PolicyValidation, validatingPolicy } from './validating-policy.js';
export { defaulting, mutating, validating } from './webhooks.js';
