/** Jobs: Pods that come to an end. */
export { jobController } from './job-controller.js';
