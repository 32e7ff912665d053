/** HTTPS calls to admission and conversion webhooks, as the API server makes them. */
export { WebhookCallError } from './call-error.js';
export type { ServiceAddress, ServiceResolver, WebhookClientConfig, WebhookService } from './client-config.js';
export { type CallOptions, WebhookClient } from './webhook-client.js';
