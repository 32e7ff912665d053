/** Admission webhooks: which one is called for a request, with which review, and what becomes of the answer. */
export type { WebhookCaller } from './call.js';
export { mutatingWebhooks, type WebhookSurroundings } from './mutating.js';
export { conditionVariables } from './review.js';
export { validatingWebhooks } from './validating.js';
export { type Objects, objectsAt } from './versioned-objects.js';
