/** The admission plugin LimitRanger: defaults and bounds of a namespace's LimitRanges. */
export { limitRanger } from './limit-ranger.js';
