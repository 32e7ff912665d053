import type { Service } from '@keelson/kubernetes/kinds';
import { quantityOf, type ResourceList } from '../pod-resources/index.js';
import type { QuotaEvaluator } from './evaluator.js';

const COUNTED: ReadonlySet<string> = new Set(['count/services', 'services', 'services.nodeports', 'services.loadbalancers']);

/** Source: kubernetes `pkg/quota/v1/evaluator/core/services.go`. */
export const services: QuotaEvaluator = {
  counted: (names) => names.filter((name) => COUNTED.has(name)),
  handles: ({ subresource, operation }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  usage: (object) => usageOf(object as unknown as Service),
};

function usageOf(service: Service): ResourceList {
  const isBalanced = service.spec?.type === 'LoadBalancer';
  const counts = {
    'count/services': 1,
    services: 1,
    'services.loadbalancers': isBalanced ? 1 : 0,
    'services.nodeports': nodePorts(service),
  };
  return new Map(Object.entries(counts).map(([name, count]) => [name, quantityOf(String(count))]));
}

/** Ports are given later: what counts is that there will be one. */
function nodePorts({ spec }: Service): number {
  const { ports = [], type, allocateLoadBalancerNodePorts } = spec ?? {};
  if (type === 'NodePort') return ports.length;
  if (type !== 'LoadBalancer') return 0;
  return allocateLoadBalancerNodePorts === false ? ports.filter(({ nodePort = 0 }) => nodePort !== 0).length : ports.length;
}
