import type { Container, ContainerState, ContainerStatus, Pod, PodTemplate } from '@keelson/kubernetes/kinds';
import type { TableConvertor } from '../../contract/index.js';
import { type Moment, table } from './table.js';
import { containerCells, isTrue, labelsText, orNone } from './texts.js';

/** The sums that are gathered on the way over the statuses of containers. */
interface Progress {
  reason: string;
  restarts: number;
  ready: number;
  /** Time of the last restart; empty: none is known. */
  lastRestart: string;
}

const COLUMNS = ['Name', 'Ready', 'Status', 'Restarts', 'Age', 'IP*', 'Node*', 'Nominated Node*', 'Readiness Gates*'];
const ENDINGS: Readonly<Record<string, string>> = { Succeeded: 'The pod has completed successfully.', Failed: 'The pod failed.' };

export const pods: TableConvertor = {
  ...table<Pod>(COLUMNS, (pod, moment) => [
    pod.metadata.name,
    ...runCells(pod, moment),
    moment.age(pod),
    orNone(pod.status?.podIPs?.[0]?.ip),
    orNone(pod.spec.nodeName),
    orNone(pod.status?.nominatedNodeName),
    gatesText(pod),
  ]),
  conditions(object) {
    const reason = (object as unknown as Pod).status?.phase ?? '';
    const message = ENDINGS[reason];
    return message === undefined ? [] : [{ type: 'Completed', status: 'True', reason, message }];
  },
};

export const podTemplates: TableConvertor = table<PodTemplate>(['Name', 'Containers', 'Images', 'Pod Labels'], ({ metadata, template }) => [
  metadata.name,
  ...containerCells(template.spec?.containers),
  labelsText(template.metadata?.labels),
]);

/** Ready, Status and Restarts. */
function runCells(pod: Pod, moment: Moment): readonly [ready: string, status: string, restarts: string] {
  const { initContainers = [], containers } = pod.spec;
  const sidecars = new Set(initContainers.filter(isSidecar).map(({ name }) => name));
  const progress: Progress = { reason: firstReason(pod), restarts: 0, ready: 0, lastRestart: '' };
  const ofSidecars: Progress = { ...progress };
  const isInitializing = visitInit(pod, { sidecars, progress, ofSidecars });
  if (!isInitializing || isTrue(pod.status?.conditions, 'Initialized')) {
    progress.restarts = ofSidecars.restarts;
    progress.lastRestart = ofSidecars.lastRestart;
    visitContainers(pod, progress);
  }
  const total = containers.length + sidecars.size;
  const { restarts, lastRestart } = progress;
  const ago = restarts === 0 || lastRestart === '' ? '' : ` (${moment.since(lastRestart)} ago)`;
  return [`${progress.ready}/${total}`, deletionReason(pod) ?? progress.reason, `${restarts}${ago}`];
}

function firstReason({ status }: Pod): string {
  const isGated = status?.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated') === true;
  if (isGated) return 'SchedulingGated';
  return status?.reason ? status.reason : (status?.phase ?? '');
}

function deletionReason({ metadata, status }: Pod): string | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined;
  if (status?.reason === 'NodeLost') return 'Unknown';
  return status?.phase === 'Succeeded' || status?.phase === 'Failed' ? undefined : 'Terminating';
}

/** An init container that goes on running. */
function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}

interface InitVisit {
  readonly sidecars: ReadonlySet<string>;
  readonly progress: Progress;
  readonly ofSidecars: Progress;
}

/** @returns whether an init container has still to come to its end: the pod's reason names it. */
function visitInit({ spec, status }: Pod, { sidecars, progress, ofSidecars }: InitVisit): boolean {
  for (const [index, container] of (status?.initContainerStatuses ?? []).entries()) {
    const isSidecarStatus = sidecars.has(container.name);
    countRestarts(container, progress);
    if (isSidecarStatus) countRestarts(container, ofSidecars);
    if (container.state?.terminated?.exitCode === 0) continue;
    if (isSidecarStatus && container.started === true) {
      if (container.ready) progress.ready += 1;
      continue;
    }
    progress.reason = `Init:${initReason(container) ?? `${index}/${spec.initContainers?.length ?? 0}`}`;
    return true;
  }
  return false;
}

function initReason({ state }: ContainerStatus): string | undefined {
  if (state?.terminated !== undefined) return endReason(state.terminated);
  const waiting = state?.waiting?.reason ?? '';
  return waiting === '' || waiting === 'PodInitializing' ? undefined : waiting;
}

/** The first container gives the reason: the others are overwritten. */
function visitContainers({ status }: Pod, progress: Progress): void {
  let hasRunning = false;
  for (const container of (status?.containerStatuses ?? []).toReversed()) {
    countRestarts(container, progress);
    const { waiting, terminated, running } = container.state ?? {};
    if (waiting?.reason) progress.reason = waiting.reason;
    else if (terminated !== undefined) progress.reason = endReason(terminated);
    else if (container.ready && running !== undefined) {
      hasRunning = true;
      progress.ready += 1;
    }
  }
  if (progress.reason === 'Completed' && hasRunning) progress.reason = isTrue(status?.conditions, 'Ready') ? 'Running' : 'NotReady';
}

function endReason({ reason, signal, exitCode }: NonNullable<ContainerState['terminated']>): string {
  if (reason) return reason;
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

function countRestarts({ restartCount, lastState }: ContainerStatus, progress: Progress): void {
  progress.restarts += restartCount;
  const finished = lastState?.terminated?.finishedAt ?? '';
  // Times of one form: their texts are in their order.
  if (finished > progress.lastRestart) progress.lastRestart = finished;
}

function gatesText({ spec, status }: Pod): string {
  const gates = spec.readinessGates ?? [];
  if (gates.length === 0) return orNone(undefined);
  return `${gates.filter(({ conditionType }) => isTrue(status?.conditions, conditionType)).length}/${gates.length}`;
}
