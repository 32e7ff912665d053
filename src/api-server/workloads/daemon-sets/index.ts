/** DaemonSets: a Pod on every node. */
export { daemonSetController } from './daemon-set-controller.js';
