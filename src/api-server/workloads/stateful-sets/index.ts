/** StatefulSets: Pods with names and claims of their own, one after the other. */
export { statefulSetController } from './stateful-set-controller.js';
