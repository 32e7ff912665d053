/** Behaviour of the kinds of the core group: Pods, Services, volumes and claims, quotas, Nodes, Namespaces, Secrets and others. */
import type { BehaviourMakers } from '../behaviour.js';
import { configMaps } from './config-map.js';
import { events, eventsOfEventsGroup } from './event.js';
import { namespaces } from './namespace.js';
import { nodes } from './node.js';
import { pods, podTemplates } from './pods/index.js';
import { limitRanges, resourceQuotas } from './quotas/index.js';
import { replicationControllers } from './replication-controller.js';
import { secrets } from './secret.js';
import { serviceAccounts } from './service-account.js';
import { endpoints, services } from './services/index.js';
import { persistentVolumeClaims, persistentVolumes } from './storage/index.js';

export { eventConversion } from './event.js';
export {
  dropDisabledPodFields,
  emptySelector,
  lastingPodErrors,
  matchedTemplateErrors,
  podAnnotationErrors,
  podNameWarnings,
  podTemplateErrors,
  replicated,
  replicatedTemplateErrors,
  selectorErrors,
  setClaimSpecDefaults,
  setPodTemplateDefaults,
  templateWarnings,
  tolerationErrors,
  unmatched,
} from './pods/index.js';
export { hostnameErrors, PORT_PROTOCOLS } from './services/index.js';
export { claimSpecErrors } from './volumes/index.js';

/** Behaviours of the kinds of this group. */
export const coreBehaviours: BehaviourMakers = {
  '/podtemplates': () => podTemplates,
  '/pods': () => pods,
  '/replicationcontrollers': () => replicationControllers,
  '/configmaps': () => configMaps,
  '/endpoints': endpoints,
  '/limitranges': () => limitRanges,
  '/namespaces': () => namespaces,
  '/nodes': () => nodes,
  '/resourcequotas': () => resourceQuotas,
  '/secrets': () => secrets,
  '/serviceaccounts': () => serviceAccounts,
  '/services': services,
  '/persistentvolumes': () => persistentVolumes,
  '/persistentvolumeclaims': () => persistentVolumeClaims,
  '/events': () => events,
  'events.k8s.io/events': () => eventsOfEventsGroup,
};
