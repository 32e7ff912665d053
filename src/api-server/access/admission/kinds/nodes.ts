import type { Node } from '../../../../kinds/index.js';
import type { AdmissionPlugin } from '../plugin.js';
import { withSpec, writes } from './request-of.js';

const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;

/** TaintNodesByCondition: no pod is scheduled to a node before it says that it is ready. Source: kubernetes `plugin/pkg/admission/nodetaint`. */
export function taintNodesByCondition(): AdmissionPlugin {
  return {
    name: 'TaintNodesByCondition',
    mutate(request) {
      const { object, operation } = request;
      if (object === undefined || operation !== 'CREATE' || !writes(request, '', 'nodes')) return object;
      const { taints = [] } = (object as unknown as Node).spec ?? {};
      if (taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect)) return object;
      return withSpec(object, { taints: [...taints, NOT_READY] });
    },
  };
}
