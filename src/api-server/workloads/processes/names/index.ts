/** The names of the cluster, for programs of Pods: a hosts file for each Pod. The way in is {@link PodNames}. */
export { hostsMountsFor, lackOfNames, NAMES_CHOICES, type NamesChoice } from './names-choice.js';
export { PodNames } from './pod-names.js';
