import type { Node, NodeCondition, Taint } from '@keelson/kubernetes/kinds';

type NodeStatus = NonNullable<Node['status']>;

const CAPACITY = { cpu: '8', 'ephemeral-storage': '100Gi', memory: '32Gi', pods: '110' };

/** A machine that is not there. Its labels are those that a kubelet sets. */
export function nodeObject(name: string): Node {
  const labels = { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec: {} };
}

/** The status that the kubelet of a node writes; `undefined`: another client has written one already. */
export function nodeStatus(
  { metadata: { name }, status = {} }: Node,
  { address, time }: { readonly address: string; readonly time: string },
): NodeStatus | undefined {
  if (status.conditions?.some(({ type }) => type === 'Ready') === true) return undefined;
  const fine = (type: string, reason: string, message: string): NodeCondition => ({
    type,
    status: type === 'Ready' ? 'True' : 'False',
    lastHeartbeatTime: time,
    lastTransitionTime: time,
    reason,
    message,
  });
  return {
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: name },
    ],
    capacity: CAPACITY,
    allocatable: CAPACITY,
    ...status,
    conditions: [
      ...(status.conditions ?? []),
      fine('MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
      fine('DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
      fine('PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
      fine('Ready', 'KubeletReady', 'kubelet is posting ready status'),
    ],
  };
}

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';

/** The taints that a node has by whether it is ready; undefined: it has them. Source: kubernetes `pkg/controller/nodelifecycle`. */
export function readinessTaints({ spec, status }: Node): readonly Taint[] | undefined {
  const { taints = [] } = spec ?? {};
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  if (ready === undefined) return undefined;
  const key = ready === 'True' ? undefined : ready === 'Unknown' ? UNREACHABLE : NOT_READY;
  const isOwn = (taint: Taint): boolean => taint.effect === 'NoSchedule' && (taint.key === NOT_READY || taint.key === UNREACHABLE);
  const own = taints.filter(isOwn);
  if (own.length === (key === undefined ? 0 : 1) && own.every((taint) => taint.key === key)) return undefined;
  const wanted: readonly Taint[] = key === undefined ? [] : [{ key, effect: 'NoSchedule' }];
  return [...taints.filter((taint) => !isOwn(taint)), ...wanted];
}

export function addressOf(node: Node | undefined): string | undefined {
  return node?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
}
