/** Behaviour of the kinds of API group `flowcontrol`: FlowSchemas and PriorityLevelConfigurations. */
import type { BehaviourMakers } from '../behaviour.js';
import { flowSchemas, priorityLevels } from './flow-control.js';

/** Behaviours of the kinds of this group. */
export const flowcontrolBehaviours: BehaviourMakers = {
  'flowcontrol.apiserver.k8s.io/flowschemas': () => flowSchemas,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': () => priorityLevels,
};
