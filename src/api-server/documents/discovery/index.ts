/** Discovery documents of the in-process API server: groups, versions, resources, `/version`. */
export { Discovery, type DiscoveryOptions, type DocumentAnswer, type DocumentRequest } from './discovery.js';
export type { ApiGroup, ApiVersion } from './group-order.js';
