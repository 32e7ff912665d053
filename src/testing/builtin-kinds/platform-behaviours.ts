import type { BehaviourMaker } from './behaviour.js';
import { configMaps } from './config-map.js';
import { endpoints } from './endpoints.js';
import { limitRanges } from './limit-range.js';
import { namespaces } from './namespace.js';
import { nodes } from './node.js';
import { resourceQuotas } from './resource-quota.js';
import { secrets } from './secret.js';
import { services } from './service.js';
import { serviceAccounts } from './service-account.js';

/** Behaviours of all kinds but workloads, by group and plural. */
export const platformBehaviours: Readonly<Record<string, BehaviourMaker>> = {
  '/configmaps': () => configMaps,
  '/endpoints': () => endpoints,
  '/limitranges': () => limitRanges,
  '/namespaces': () => namespaces,
  '/nodes': () => nodes,
  '/resourcequotas': () => resourceQuotas,
  '/secrets': () => secrets,
  '/serviceaccounts': () => serviceAccounts,
  '/services': services,
};
