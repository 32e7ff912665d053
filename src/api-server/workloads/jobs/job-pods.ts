import type { Container, Job, Pod } from '@keelson/kubernetes/kinds';
import { controllerReference } from '../objects/index.js';
import { isGoing, type NewPod, podFromTemplate } from '../pods/index.js';

export const KIND = { apiVersion: 'batch/v1', kind: 'Job' };
/** Holds a Pod until its end was counted. */
export const TRACKING = 'batch.kubernetes.io/job-tracking';
const INDEX = 'batch.kubernetes.io/job-completion-index';
const INDEX_VARIABLE = 'JOB_COMPLETION_INDEX';

export function isIndexed({ spec }: Job): boolean {
  return spec.completionMode === 'Indexed';
}

export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[INDEX];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

export function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(TRACKING) === true;
}

/** Whether a Pod that is being deleted is replaced only when it has ended. */
export function replacesFailedOnly({ spec }: Job): boolean {
  return spec.podReplacementPolicy === 'Failed';
}

/** A Pod that is deleted before it has ended has failed, too. */
export function hasFailed(job: Job, pod: Pod): boolean {
  if (pod.status?.phase === 'Failed') return true;
  return !replacesFailedOnly(job) && isGoing(pod) && pod.status?.phase !== 'Succeeded';
}

export function jobPod(job: Job, index: number | undefined): NewPod {
  const { name } = job.metadata;
  const reference = controllerReference(job, KIND);
  const owner = { name: index === undefined ? name : `${name}-${index}`, reference };
  const pod = podFromTemplate(job.spec.template, owner);
  const metadata = { ...pod.metadata, finalizers: [...(pod.metadata.finalizers ?? []).filter((one) => one !== TRACKING), TRACKING] };
  if (index === undefined) return { ...pod, metadata };
  const mark = { [INDEX]: String(index) };
  const { containers, initContainers } = pod.spec;
  return {
    ...pod,
    metadata: { ...metadata, labels: { ...metadata.labels, ...mark }, annotations: { ...metadata.annotations, ...mark } },
    spec: {
      ...pod.spec,
      hostname: `${name}-${index}`,
      containers: containers.map(withIndex),
      ...(initContainers === undefined ? {} : { initContainers: initContainers.map(withIndex) }),
    },
  };
}

function withIndex(container: Container): Container {
  const { env = [] } = container;
  if (env.some(({ name }) => name === INDEX_VARIABLE)) return container;
  return { ...container, env: [...env, { name: INDEX_VARIABLE, valueFrom: { fieldRef: { fieldPath: `metadata.labels['${INDEX}']` } } }] };
}
