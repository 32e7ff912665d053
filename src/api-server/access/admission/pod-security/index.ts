/** The admission plugin PodSecurity: Pod Security Standards by the labels of a namespace. */
export { podSecurity } from './pod-security.js';
