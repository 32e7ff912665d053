/** The webhook server: HTTPS for what a definition declares under `webhooks`, and for the conversion of its custom resources. */
export type { Call, Route } from './call.js';

export { AdmissionHandles } from './handles.js';
export type { WebhookObserver } from './observer.js';
export type { AnsweredReview } from './review-channel.js';
export { type AdmissionObservation, type AdmittedOnce, admit, convert, type RefusedField } from './review-once.js';
export { routesOf } from './routes.js';
export type { ServingSource } from './serving-source.js';
export { WebhookServer, type WebhookServerOptions } from './webhook-server.js';
