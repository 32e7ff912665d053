/** The cluster of a kubeconfig's context as the one that `keelson dev` works against. Way in: {@link ContextCluster}. */
export { type ConsentOptions, consent } from './consent.js';
export { ContextCluster, type ContextClusterOptions } from './context-cluster.js';
export { type WebhookAddress, webhookAddressOf } from './webhook-address.js';
