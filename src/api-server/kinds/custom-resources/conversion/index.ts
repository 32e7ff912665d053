/** Conversion of custom resources between versions by a webhook. */
export type { ConversionClientConfig, WebhookCaller, WebhookService } from './webhook-caller.js';
export { WebhookConverter } from './webhook-converter.js';
