import type { KubernetesObject } from '../../kubernetes/index.js';

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
export function claimsOf(object: KubernetesObject): string[] {
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
export function lagOf(object: KubernetesObject): string | undefined {
  const { metadata, status } = object as KubernetesObject & { readonly status?: { readonly observedGeneration?: number } };
  if (status?.observedGeneration === undefined || metadata.generation === undefined) return undefined;
  if (status.observedGeneration >= metadata.generation) return undefined;
  return `status.observedGeneration is ${status.observedGeneration}, and the generation is ${metadata.generation}`;
}
