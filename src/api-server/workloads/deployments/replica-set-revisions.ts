import type { Deployment, ReplicaSet } from '@keelson/kubernetes/kinds';
import { byAge, canonicalJson } from '../objects/index.js';
import { maxSurge } from './fenceposts.js';

export const REVISION = 'deployment.kubernetes.io/revision';
export const TEMPLATE_HASH = 'pod-template-hash';
const HISTORY = 'deployment.kubernetes.io/revision-history';
const DESIRED = 'deployment.kubernetes.io/desired-replicas';
const MAX = 'deployment.kubernetes.io/max-replicas';
const ROLLBACK = 'deprecated.deployment.rollback.to';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** They are of the one object and not of the other. */
const OWN_ANNOTATIONS: readonly string[] = [LAST_APPLIED, REVISION, HISTORY, DESIRED, MAX, ROLLBACK];
/** Longest list of former revisions, in characters. */
const LONGEST_HISTORY = 2000;

type Annotations = Readonly<Record<string, string>>;

export function isNewReplicaSet({ spec: { template } }: Deployment, replicaSet: ReplicaSet): boolean {
  return canonicalJson(withoutHash(template)) === canonicalJson(withoutHash(replicaSet.spec.template ?? {}));
}

/** The oldest with the template of the Deployment: two can have it after a crash in between. */
export function newReplicaSetOf(deployment: Deployment, replicaSets: readonly ReplicaSet[]): ReplicaSet | undefined {
  return [...replicaSets].sort(byAge).find((replicaSet) => isNewReplicaSet(deployment, replicaSet));
}

function withoutHash(template: {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> | undefined } | undefined;
}): object {
  const { [TEMPLATE_HASH]: _hash, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

export function revisionOf({ metadata: { annotations = {} } }: ReplicaSet): number {
  const revision = annotations[REVISION] ?? '0';
  return /^\d+$/.test(revision) ? Number(revision) : 0;
}

/** The annotations that a Deployment's current ReplicaSet has to have. */
export function currentAnnotations(deployment: Deployment, known: Annotations, revision: number): Annotations {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !OWN_ANNOTATIONS.includes(key));
  const annotations: Record<string, string> = { ...known, ...Object.fromEntries(copied) };
  const before = known[REVISION];
  if (before !== undefined && !/^\d+$/.test(before)) return annotations;
  if (Number(before ?? 0) >= revision) return annotations;
  annotations[REVISION] = String(revision);
  if (before !== undefined) annotations[HISTORY] = longerHistory(known[HISTORY] ?? '', before);
  return annotations;
}

function longerHistory(history: string, revision: string): string {
  const revisions = [...history.split(',').filter((text) => text !== ''), revision];
  while (revisions.join(',').length > LONGEST_HISTORY) revisions.shift();
  return revisions.join(',');
}

/** The size of its Deployment that a ReplicaSet has noted: by that a later change of size differs from a rollout. */
export function sizeAnnotations(deployment: Deployment): Annotations {
  const { replicas = 1 } = deployment.spec;
  return { [DESIRED]: String(replicas), [MAX]: String(replicas + maxSurge(deployment)) };
}

export function desiredOf({ metadata: { annotations = {} } }: ReplicaSet): number | undefined {
  return countIn(annotations[DESIRED]);
}

export function maxOf({ metadata: { annotations = {} } }: ReplicaSet): number | undefined {
  return countIn(annotations[MAX]);
}

function countIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
