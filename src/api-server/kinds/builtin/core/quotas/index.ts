/** LimitRanges and ResourceQuotas. */
export { limitRanges } from './limit-range.js';
export { resourceQuotas } from './resource-quota.js';
