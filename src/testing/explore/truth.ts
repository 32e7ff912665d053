import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { Finding } from './finding.js';

type Fields = Readonly<Record<string, unknown>>;

interface ConditionFields {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
}

/** The statuses with which workloads say that they do not work, as their own controllers and kubelets write them. */
const BROKEN: Readonly<Record<string, (object: Fields) => Fields>> = {
  Deployment: ({ spec }) => ({
    replicas: replicasOf(spec),
    updatedReplicas: replicasOf(spec),
    readyReplicas: 0,
    availableReplicas: 0,
    unavailableReplicas: replicasOf(spec),
    conditions: [{ type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable', message: 'it does not work' }],
  }),
  StatefulSet: ({ spec }) => ({ replicas: replicasOf(spec), readyReplicas: 0, availableReplicas: 0 }),
  DaemonSet: () => ({ currentNumberScheduled: 1, desiredNumberScheduled: 1, numberMisscheduled: 0, numberReady: 0, numberUnavailable: 1 }),
  Pod: () => ({
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady', message: 'it does not work' }],
  }),
};

function replicasOf(spec: unknown): number {
  return (spec as { readonly replicas?: number } | undefined)?.replicas ?? 1;
}

/** Whether the kind has a status that says that it does not work. */
export function canBreak(kind: string): boolean {
  return Object.hasOwn(BROKEN, kind);
}

export function brokenStatus(object: KubernetesObject): Fields {
  return BROKEN[object.kind ?? '']?.(object as unknown as Fields) ?? {};
}

const GOOD_PHASES: ReadonlySet<string> = new Set(['active', 'available', 'bound', 'healthy', 'ready', 'running', 'succeeded', 'up']);
const GOOD_CONDITIONS: ReadonlySet<string> = new Set(['Available', 'Healthy', 'Ready']);
/** The runtime's own `Ready` says that the object was reconciled, and nothing about children. */
const RUNTIME_REASON = 'Reconciled';

/** Lists the claims of a status that something works: `condition Ready is True`. */
function claimsOf(object: KubernetesObject): string[] {
  const { status } = object as unknown as { readonly status?: Fields };
  if (status === undefined) return [];
  const conditions = ((status['conditions'] ?? []) as readonly ConditionFields[]).filter(
    ({ type = '', status: state, reason }) => GOOD_CONDITIONS.has(type) && state === 'True' && reason !== RUNTIME_REASON,
  );
  const fields = Object.entries(status).filter(
    ([name, value]) =>
      (/^(phase|state)$/i.test(name) && typeof value === 'string' && GOOD_PHASES.has(value.toLowerCase())) ||
      (/^(is)?(ready|available|healthy)$/i.test(name) && value === true),
  );
  return [
    ...conditions.map(({ type }) => `condition ${type} is True`),
    ...fields.map(([name, value]) => `status.${name} is ${JSON.stringify(value)}`),
  ];
}

/** A status about another generation than the newest, at rest. */
function lagOf(object: KubernetesObject): string | undefined {
  const { metadata, status } = object as KubernetesObject & { readonly status?: { readonly observedGeneration?: number } };
  if (status?.observedGeneration === undefined || metadata.generation === undefined) return undefined;
  if (status.observedGeneration >= metadata.generation) return undefined;
  return `status.observedGeneration is ${status.observedGeneration}, and the generation is ${metadata.generation}`;
}

/** Fields of a status that count the Pods below the object. */
const COUNTS: ReadonlySet<string> = new Set(['readyReplicas', 'availableReplicas', 'readyPods', 'readyInstances']);

function countsOf(object: KubernetesObject): readonly (readonly [string, number])[] {
  const { status = {} } = object as unknown as { readonly status?: Fields };
  return Object.entries(status).flatMap(([name, value]) => (COUNTS.has(name) && typeof value === 'number' ? [[name, value] as const] : []));
}

/** Says which claim of an owner its children belie, at rest; `undefined`: none. */
function untruthOf(owner: KubernetesObject, children: readonly KubernetesObject[]): string | undefined {
  const workloads = children.filter(({ kind = '' }) => canBreak(kind));
  const broken = workloads.find((child) => !works(child));
  if (broken === undefined) return undefined;
  const ready = workloads.reduce((sum, child) => sum + readyPodsOf(child), 0);
  const counts = countsOf(owner).filter(([, count]) => count > ready);
  const claims = [...claimsOf(owner), ...counts.map(([name, count]) => `status.${name} is ${count}`)];
  if (claims.length === 0) return undefined;
  const status = JSON.stringify((broken as { readonly status?: unknown }).status ?? {}).slice(0, 90);
  return `${claims.join(', ')}, and ${broken.kind} ${broken.metadata.name} does not work: ${status}`;
}

interface WorkloadStatus {
  readonly numberReady?: number;
  readonly phase?: string;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly numberUnavailable?: number;
  readonly conditions?: readonly { readonly type?: string; readonly status?: string }[];
}

function works(object: KubernetesObject): boolean {
  const { spec, status = {} } = object as unknown as { readonly spec?: { readonly replicas?: number }; readonly status?: WorkloadStatus };
  const wanted = spec?.replicas ?? 1;
  switch (object.kind) {
    case 'Deployment':
      return (status.availableReplicas ?? status.readyReplicas ?? 0) >= wanted;
    case 'StatefulSet':
      return (status.readyReplicas ?? status.availableReplicas ?? 0) >= wanted;
    case 'DaemonSet':
      return (status.numberUnavailable ?? 0) === 0;
    default:
      return status.phase === 'Succeeded' || status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
  }
}

function readyPodsOf(object: KubernetesObject): number {
  const { status = {} } = object as unknown as { readonly status?: WorkloadStatus };
  if (object.kind === 'Pod') return works(object) ? 1 : 0;
  return Math.max(status.readyReplicas ?? 0, status.availableReplicas ?? 0, status.numberReady ?? 0);
}

export interface Judged {
  readonly objects: readonly KubernetesObject[];
  /** Whether a controller of the operator is for it. */
  readonly isOwn: (object: KubernetesObject) => boolean;
}

/** Statuses say what is so, at rest. @throws Finding */
export function truth({ objects, isOwn }: Judged): void {
  for (const owner of objects) {
    if (!isOwn(owner) || owner.metadata.deletionTimestamp !== undefined) continue;
    const name = `${owner.kind} ${owner.metadata.name}`;
    const lag = lagOf(owner);
    if (lag !== undefined) throw new Finding('status', `the status of ${name} is out of date`, [lag]);
    const children = objects.filter((object) => object.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid));
    const untruth = untruthOf(owner, children);
    if (untruth !== undefined) throw new Finding('status', `the status of ${name} is not true`, [untruth]);
  }
}
