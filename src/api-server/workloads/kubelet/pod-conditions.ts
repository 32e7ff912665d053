import type { Pod, PodCondition, PodStatus } from '@keelson/kubernetes/kinds';
import { isSidecar, statusOf } from './container-status.js';

type Told = Pick<PodCondition, 'message' | 'reason' | 'status'>;
type ReadinessGates = NonNullable<Pod['spec']['readinessGates']>;

const YES: Told = { status: 'True' };

/** The conditions that a kubelet writes, beside those of others. Source: kubernetes `pkg/kubelet/status/generate.go`. */
export function conditionsFor(pod: Pod, status: PodStatus, time: string): PodCondition[] {
  const ready = containersReady(status);
  const told: Readonly<Record<string, Told>> = {
    PodReadyToStartContainers: { status: status.podIP !== undefined && !isOver(status) ? 'True' : 'False' },
    Initialized: initialized(pod, status),
    Ready: ready.status === 'True' ? gated(pod.spec.readinessGates ?? [], status) : ready,
    ContainersReady: ready,
  };
  const known = status.conditions ?? [];
  const own = Object.entries(told).map(([type, news]) => conditionOf(type, news, { pod, known, time }));
  return [...own, ...known.filter(({ type }) => !Object.hasOwn(told, type))];
}

function conditionOf(
  type: string,
  news: Told,
  { pod, known, time }: { readonly pod: Pod; readonly known: readonly PodCondition[]; readonly time: string },
): PodCondition {
  const before = known.find((condition) => condition.type === type);
  const lastTransitionTime = before?.status === news.status ? before.lastTransitionTime : time;
  const observedGeneration = pod.metadata.generation;
  return {
    type,
    ...news,
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    lastProbeTime: null as never,
    lastTransitionTime,
  };
}

function isOver({ phase }: PodStatus): boolean {
  return phase === 'Failed' || phase === 'Succeeded';
}

function initialized({ spec }: Pod, { phase, initContainerStatuses, containerStatuses = [] }: PodStatus): Told {
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  if (containerStatuses.some(({ state, lastState }) => state?.waiting === undefined || lastState?.terminated !== undefined)) return YES;
  const incomplete = (spec.initContainers ?? []).filter((container) => {
    const status = statusOf(initContainerStatuses, container.name);
    return isSidecar(container) ? status?.started !== true : status?.state?.terminated?.exitCode !== 0;
  });
  if (incomplete.length === 0) return YES;
  const names = incomplete.map(({ name }) => name).join(' ');
  return { status: 'False', reason: 'ContainersNotInitialized', message: `containers with incomplete status: [${names}]` };
}

function containersReady(status: PodStatus): Told {
  if (status.phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (status.phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const unready = [
    ...(status.initContainerStatuses ?? []).filter(({ state }) => state?.terminated === undefined),
    ...(status.containerStatuses ?? []),
  ].filter(({ ready }) => !ready);
  if (unready.length === 0) return YES;
  const names = unready.map(({ name }) => name).join(' ');
  return { status: 'False', reason: 'ContainersNotReady', message: `containers with unready status: [${names}]` };
}

/** Others may have a say in whether a Pod is ready. */
function gated(gates: ReadinessGates, { conditions = [] }: PodStatus): Told {
  const problems = gates.flatMap(({ conditionType: type }) => {
    const condition = conditions.find((one) => one.type === type);
    if (condition === undefined) return [`corresponding condition of pod readiness gate "${type}" does not exist.`];
    return condition.status === 'True' ? [] : [`the status of pod readiness gate "${type}" is not "True", but ${condition.status}`];
  });
  return problems.length === 0 ? YES : { status: 'False', reason: 'ReadinessGatesNotReady', message: problems.join(', ') };
}
