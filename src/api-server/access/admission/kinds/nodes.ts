import type { Binding, Node, Pod } from '@keelson/kubernetes/kinds';
import type { AdmissionRequest, ClusterView } from '../../../contract/index.js';
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

const NODES = { group: '', plural: 'nodes' };
const TOPOLOGY_LABELS = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/** PodTopologyLabels: a pod has the zone and the region of its node as labels. Source: kubernetes `plugin/pkg/admission/podtopologylabels`. */
export function podTopologyLabels(cluster: ClusterView): AdmissionPlugin {
  return {
    name: 'PodTopologyLabels',
    mutate(request) {
      const { object } = request;
      const node = nodeOf(request);
      if (object === undefined || node === undefined) return object;
      const { labels = {} } = (cluster.get(NODES, { namespace: '', name: node }) as unknown as Node | undefined)?.metadata ?? {};
      const copied = Object.fromEntries(TOPOLOGY_LABELS.flatMap((key) => (labels[key] === undefined ? [] : [[key, labels[key]]])));
      if (Object.keys(copied).length === 0) return object;
      const metadata = (object['metadata'] ?? {}) as { readonly labels?: Readonly<Record<string, string>> };
      return { ...object, metadata: { ...metadata, labels: { ...metadata.labels, ...copied } } };
    },
  };
}

/** The node of a new pod, or of one that is bound. */
function nodeOf({ object, operation, subresource, served: { resource } }: AdmissionRequest): string | undefined {
  if (operation !== 'CREATE' || resource.group !== '' || resource.plural !== 'pods') return undefined;
  if (subresource === '') return (object as unknown as Pod).spec?.nodeName || undefined;
  const { target } = object as unknown as Binding;
  return subresource === 'binding' && target?.kind === 'Node' ? target.name : undefined;
}
