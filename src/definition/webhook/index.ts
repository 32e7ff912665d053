export type { Webhook } from './admission-webhook.js';
export type {
  AdmissionContext,
  AdmissionOptions,
  Admitted,
  Mutate,
  MutatingOptions,
  OwnKind,
  Refusal,
  UpdateContext,
  UserInfo,
  Validate,
  ValidatingHandlers,
  Verdict,
} from './handler.js';
export { type Policy, type PolicyOptions, type PolicyValidation, validatingPolicy } from './validating-policy.js';
export { defaulting, mutating, validating } from './webhooks.js';
