import type { FoundManifest } from '../../../src/cli/manifests/index.js';
import { planOf } from '../../../src/cli/plan/index.js';
import type { PlannedChange } from '../../../src/cli/plan/plan-report.js';
import { applyManifest } from '../../../src/cli/rehearsal/apply-manifest.js';
import { readKinds } from '../../../src/cli/rehearsal/index.js';
import { keyOf, worldOf } from '../../../src/cli/rehearsal/world.js';
import type { OperatorModel } from '../../../src/keelson/definition/index.js';
import { RUNTIME_DEFAULTS, usesOf } from '../../../src/keelson/definition/index.js';
import type { KubernetesObject } from '../../../src/kubernetes/apimachinery/index.js';
import { type RunningOperator, start } from '../../../src/runtime/host/index.js';
import { fieldChangesOf, fieldChangeText } from '../../../src/runtime/journal/index.js';
import { operatorInstallation } from '../../../src/testing/cluster/operator-installation.js';
import { type InProcessCluster, type RunningCluster, TestCluster } from '../../../src/testing/index.js';
import { DEADLINE_MS } from '../../deadline.cjs';

/** A change of the operator, or of what users write. */
export interface Next {
  readonly operator?: OperatorModel;
  readonly manifests?: readonly FoundManifest[];
}

const manifest = (object: KubernetesObject): FoundManifest => ({ place: 'world', object, strictProblems: [] });
export const plannedOf = (operator: OperatorModel, objects: readonly FoundManifest[], timeoutMs: number = DEADLINE_MS) =>
  planOf({ operator, objects, definitions: [], unread: [], timeoutMs });

const QUIET = { ...RUNTIME_DEFAULTS, logLevel: 'error' as const, drainSeconds: 1, healthPort: 0, webhookPort: 0, metrics: undefined };

/** The systems outside, which answer. */
function externalsOf(model: OperatorModel): Readonly<Record<string, object>> {
  return 'shop' in usesOf(model) ? { shop: { order: async () => 'done' } } : {};
}

/** A release of the operator on a cluster that another release has worked on. */
export function release(cluster: RunningCluster, model: OperatorModel): Promise<RunningOperator> {
  return start(
    { ...model, webhooks: [] } as never,
    {
      connection: cluster.connection,
      settings: QUIET,
      externals: externalsOf(model),
      environment: { POD_NAME: 'life', POD_NAMESPACE: 'default' },
      processMetrics: false,
    } as never,
  );
}

const rest = (cluster: InProcessCluster, running: RunningOperator): Promise<void> =>
  cluster.settled({ isIdle: () => running.isSettled, timeout: DEADLINE_MS });

/** What stands in a world, by key. Pods by their uids: a new uid is a restart. */
interface Seen {
  readonly objects: ReadonlyMap<string, KubernetesObject>;
  readonly pods: ReadonlySet<string>;
}

const PODS = new Set(['Pod', 'ReplicaSet', 'ControllerRevision']);

function seen(cluster: InProcessCluster, installed: ReadonlySet<string>): Seen {
  const all = [...worldOf(cluster.server)].filter(([key]) => !installed.has(key));
  return {
    objects: new Map(all.filter(([, { kind }]) => !PODS.has(kind))),
    pods: new Set(all.flatMap(([, { kind, metadata }]) => (kind === 'Pod' ? [metadata.uid ?? ''] : []))),
  };
}

type Change = Pick<PlannedChange, 'action' | 'fields'> & { readonly name: string };

/** What a control plane notes about a Deployment, and not the operator. */
const REVISION = 'metadata.annotations.deployment.kubernetes.io/revision';

/** The changes of a world, field by field, found by looking at it twice. */
function changesOf(before: Seen, after: Seen): readonly Change[] {
  const keys = [...new Set([...before.objects.keys(), ...after.objects.keys()])];
  return keys.flatMap((key): readonly Change[] => {
    const [old, young] = [before.objects.get(key), after.objects.get(key)];
    const name = key.split('\n').slice(1).join(' ');
    if (old === undefined) return [{ action: 'create', name, fields: [] }];
    if (young === undefined) return [{ action: 'delete', name, fields: [] }];
    const [was, is] = [old, young].map((object) => ({ ...object, status: undefined }));
    const fields = fieldChangesOf(old.kind, was, is ?? {}).filter(({ path }) => path !== REVISION);
    if (old.metadata.uid !== young.metadata.uid) return [{ action: 'recreate', name, fields }];
    return fields.length === 0 ? [] : [{ action: 'change', name, fields }];
  });
}

const lineOf = ({ action, name }: Pick<Change, 'action' | 'name'>): string => `${action} ${name}`;

function told(changes: readonly Change[], hasRestarts: boolean): Told {
  const lines = changes.map(lineOf).sort();
  return {
    changes: lines,
    fields: Object.fromEntries(changes.map((change) => [lineOf(change), change.fields.map(fieldChangeText).sort()])),
    hasRestarts,
  };
}

export interface Told {
  /** Sorted: `change Deployment shop a`. */
  readonly changes: readonly string[];
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly hasRestarts: boolean;
}

/**
 * Plans a change on a copy of a cluster in which the first operator is at rest, then makes the change in that cluster.
 *
 * @returns what the plan says, and what happened
 */
export async function planAndLife(
  operator: OperatorModel,
  first: readonly FoundManifest[],
  next: Next,
): Promise<{ readonly plan: Told; readonly life: Told }> {
  const { operator: later = operator, manifests = [] } = next;
  const cluster = await TestCluster.start({ operator, workloads: true, namespaces: ['shop'] });
  const options = { externals: externalsOf(operator) };
  let running = await cluster.startOperator(options as never);
  try {
    await rest(cluster, running);
    const installed = new Set(worldOf(cluster.server).keys());
    for (const { object } of first) await applyManifest(cluster, object);
    await rest(cluster, running);
    const before = seen(cluster, installed);
    // As much as --context would read.
    const read = new Set(readKinds(later).map(({ group, kind }) => `${group}\n${kind}\n`));
    const isRead = (key: string): boolean => [...read].some((kind) => key.startsWith(kind));
    const copies = [...worldOf(cluster.server)].filter(([key]) => !installed.has(key) && isRead(key)).map(([, object]) => manifest(object));
    const planned = await plannedOf(later, [...copies, ...manifests]);
    expect({ failures: planned.failures, unfit: planned.unfit }).toEqual({ failures: [], unfit: [] });
    await running.stop();
    const given = new Set(manifests.map(({ object }) => keyOf(object)));
    // What users change is no change of the operator's.
    const isOfOperator = ({ name }: Change): boolean => ![...given].some((key) => name === key.split('\n').slice(1).join(' '));
    for (const object of operatorInstallation(later).definitions) await applyManifest(cluster, object);
    running = next.operator === undefined ? await cluster.startOperator(options as never) : await release(cluster, later);
    await rest(cluster, running);
    for (const { object } of manifests) await applyManifest(cluster, object);
    await rest(cluster, running);
    const after = seen(cluster, installed);
    const planChanges = planned.changes
      .filter(({ object }) => !PODS.has(object.kind))
      .map(({ action, fields, object: { kind, namespace = '', name } }) => ({ action, fields, name: `${kind} ${namespace} ${name}` }));
    const gone = [...before.pods].some((uid) => !after.pods.has(uid));
    return {
      plan: told(planChanges.filter(isOfOperator), planned.restarts.length > 0),
      life: told(changesOf(before, after).filter(isOfOperator), gone && [...after.pods].some((uid) => !before.pods.has(uid))),
    };
  } finally {
    await running.stop();
    await cluster.close();
  }
}
