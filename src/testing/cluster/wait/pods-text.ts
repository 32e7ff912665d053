import { isRecord, type KindInfo, type KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { type ContainerStatus, Pod } from '@keelson/kubernetes/kinds';
import type { ApiClient } from '@keelson/runtime/internal/client';
import { EventsOf, shortened } from './look-around.js';

const WORKLOADS: ReadonlySet<string> = new Set(['DaemonSet', 'Deployment', 'Job', 'ReplicaSet', 'StatefulSet']);
const MAX_PODS = 3;
const MAX_EVENTS = 3;

export interface PodsOf {
  readonly client: ApiClient;
  readonly kind: KindInfo;
  /** As it was seen last. */
  readonly object: KubernetesObject;
  readonly signal: AbortSignal;
}

/** Says why Pods of a workload are not ready. It is empty for an object that is not a workload, and when all Pods are ready or have done their work. */
export async function podsText({ client, kind, object, signal }: PodsOf): Promise<string> {
  const labels = WORKLOADS.has(kind.kind) ? selectedLabels(object) : {};
  const { namespace } = object.metadata;
  if (Object.keys(labels).length === 0 || namespace === undefined) return '';
  const { items: pods } = await client.list(Pod, { namespace, labels, signal });
  if (pods.length === 0) return 'It has no Pods.';
  const waiting = pods.filter((pod) => !isReady(pod) && pod.status?.phase !== 'Succeeded');
  if (waiting.length === 0) return '';
  const events = await EventsOf.namespace(client, namespace, signal);
  const lines = waiting.slice(0, MAX_PODS).flatMap((pod) => podLines(pod, events));
  const more = waiting.length > MAX_PODS ? [`  … ${waiting.length - MAX_PODS} more`] : [];
  return [
    `Pods of it that are not ready (${waiting.length} of ${pods.length}):`,
    ...lines.map((line) => shortened(`  ${line}`)),
    ...more,
  ].join('\n');
}

function selectedLabels(object: KubernetesObject): Readonly<Record<string, string>> {
  const { spec } = object as { readonly spec?: { readonly selector?: { readonly matchLabels?: unknown } } };
  const labels = spec?.selector?.matchLabels;
  return isRecord(labels) ? (labels as Readonly<Record<string, string>>) : {};
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;
}

function podLines(pod: Pod, events: EventsOf): readonly string[] {
  const { name, deletionTimestamp } = pod.metadata;
  const { phase = 'without a status', message, initContainerStatuses = [], containerStatuses = [], conditions = [] } = pod.status ?? {};
  const unmet = conditions
    .filter(({ type, status }) => type === 'PodScheduled' && status === 'False')
    .map(({ reason, message }) => `it is not scheduled, ${reason}: ${message}`);
  return [
    `${name}: ${phase}${deletionTimestamp === undefined ? '' : ', and being deleted'}${message === undefined ? '' : `: ${message}`}`,
    ...unmet.map((line) => `  ${line}`),
    ...[...initContainerStatuses, ...containerStatuses].flatMap(containerLines).map((line) => `  ${line}`),
    ...events.about('Pod', name ?? '', { most: MAX_EVENTS, type: 'Warning' }).map((line) => `  ${line}`),
  ];
}

function containerLines({ name, ready, state, lastState, restartCount }: ContainerStatus): readonly string[] {
  const { waiting, running, terminated } = state ?? {};
  const last = lastState?.terminated;
  const lines: string[] = [];
  if (waiting !== undefined)
    lines.push(`container ${name} waits, ${waiting.reason}${waiting.message === undefined ? '' : `: ${waiting.message}`}`);
  if (running !== undefined && !ready) lines.push(`container ${name} runs and is not ready`);
  if (terminated !== undefined && terminated.exitCode !== 0)
    lines.push(`container ${name} ended with exit code ${terminated.exitCode}, ${terminated.reason}`);
  if (last !== undefined) {
    const restarts = `${restartCount} restart${restartCount === 1 ? '' : 's'}`;
    lines.push(`container ${name} has ${restarts}; its last run ended with exit code ${last.exitCode}, ${last.reason}`);
  }
  return lines;
}
