import { customResourceDefinitionBehaviour } from '../custom-resources/index.js';
import { admissionregistrationBehaviours } from './admissionregistration/index.js';
import { apiregistrationBehaviours } from './apiregistration/index.js';
import { appsBehaviours } from './apps/index.js';
import { autoscalingBehaviours } from './autoscaling/index.js';
import { batchBehaviours } from './batch/index.js';
import type { BehaviourMakers } from './behaviour.js';
import { certificatesBehaviours } from './certificates/index.js';
import { coordinationBehaviours } from './coordination/index.js';
import { coreBehaviours } from './core/index.js';
import { discoveryBehaviours } from './discovery/index.js';
import { flowcontrolBehaviours } from './flowcontrol/index.js';
import { networkingBehaviours } from './networking/index.js';
import { nodeBehaviours } from './node/index.js';
import { policyBehaviours } from './policy/index.js';
import { rbacBehaviours } from './rbac/index.js';
import { schedulingBehaviours } from './scheduling/index.js';
import { storageBehaviours } from './storage/index.js';

/** By group and plural (`/pods`: the core group has no name). A kind that is missing here is decoded, stored and given back. */
export const behaviours: BehaviourMakers = {
  ...admissionregistrationBehaviours,
  ...apiregistrationBehaviours,
  ...appsBehaviours,
  ...autoscalingBehaviours,
  ...batchBehaviours,
  ...certificatesBehaviours,
  ...coordinationBehaviours,
  ...coreBehaviours,
  ...discoveryBehaviours,
  ...flowcontrolBehaviours,
  ...networkingBehaviours,
  ...nodeBehaviours,
  ...policyBehaviours,
  ...rbacBehaviours,
  ...schedulingBehaviours,
  ...storageBehaviours,
  'apiextensions.k8s.io/customresourcedefinitions': () => customResourceDefinitionBehaviour,
};
