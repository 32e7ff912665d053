import { admissionregistrationStories } from '../admissionregistration/stories.js';
import { apiregistrationStories } from '../apiregistration/stories.js';
import { appsStories } from '../apps/stories.js';
import { autoscalingStories } from '../autoscaling/stories.js';
import { batchStories } from '../batch/stories.js';
import { certificatesStories } from '../certificates/stories.js';
import { coordinationStories } from '../coordination/stories.js';
import { containerStories } from '../core/containers/stories.js';
import { eventStories } from '../core/event-stories.js';
import { podChangeStories } from '../core/pods/change-stories.js';
import { podStories } from '../core/pods/stories.js';
import { podTemplateStories } from '../core/pods/template-stories.js';
import { quotasStories } from '../core/quotas/stories.js';
import { replicationControllerStories } from '../core/replication-controller-stories.js';
import { servicesStories } from '../core/services/stories.js';
import { volumeStories } from '../core/storage/stories.js';
import { coreStories } from '../core/stories.js';
import { podVolumeStories } from '../core/volumes/stories.js';
import { discoveryStories } from '../discovery/stories.js';
import { flowcontrolStories } from '../flowcontrol/stories.js';
import { networkingStories } from '../networking/stories.js';
import { nodeStories } from '../node/stories.js';
import { policyStories } from '../policy/stories.js';
import { rbacStories } from '../rbac/stories.js';
import { schedulingStories } from '../scheduling/stories.js';
import { storageStories } from '../storage/stories.js';
import type { Story } from './story.js';

/** Every story, played to the in-process server and to a real one. */
export const allStories: readonly Story[] = [
  ...admissionregistrationStories,
  ...apiregistrationStories,
  ...appsStories,
  ...autoscalingStories,
  ...batchStories,
  ...certificatesStories,
  ...coordinationStories,
  ...eventStories,
  ...podChangeStories,
  ...podStories,
  ...containerStories,
  ...podVolumeStories,
  ...podTemplateStories,
  ...quotasStories,
  ...replicationControllerStories,
  ...servicesStories,
  ...volumeStories,
  ...coreStories,
  ...discoveryStories,
  ...flowcontrolStories,
  ...networkingStories,
  ...nodeStories,
  ...policyStories,
  ...rbacStories,
  ...schedulingStories,
  ...storageStories,
];
