/** Quotas: what a write uses up is charged, and what is used can be counted anew. */
export { type QuotaChargeSurroundings, resourceQuota } from './resource-quota.js';
export { countsResource, type QuotaStatus, type QuotaSurroundings, quotaUsage } from './usage.js';
