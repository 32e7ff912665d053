/** What the in-process API server tells of its resources and of itself. */
export { Discovery, type DiscoveryOptions, type DocumentAnswer, type DocumentRequest } from './discovery.js';
export type { ApiGroup, ApiVersion } from './group-order.js';
