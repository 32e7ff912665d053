import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigMap, Deployment, Pod } from 'keelson/kinds';
import { readContext } from '../../src/cli/plan/context-source.js';
import { type PlannedChange, planOf } from '../../src/cli/plan/index.js';
import type { OperatorModel } from '../../src/keelson/definition/index.js';
import type { KubernetesObject } from '../../src/kubernetes/apimachinery/index.js';
import { fieldChangesOf, fieldChangeText } from '../../src/runtime/journal/index.js';
import { release } from '../cli/plan/life.js';
import { Kiln, type KilnRelease, kilnOperator } from '../cli/rehearsal/kiln-operator.js';
import { DEADLINE_MS } from '../deadline.cjs';
import { describeCluster } from './harness/index.js';
import { startOnPool } from './harness/pool-test-cluster.js';

type Pool = Awaited<ReturnType<typeof startOnPool>>;

const folder = mkdtempSync(join(tmpdir(), 'keelson-plan-'));
afterAll(() => rmSync(folder, { recursive: true }));

const REVISION = 'metadata.annotations.deployment.kubernetes.io/revision';

/** The children as they are, by kind and name. */
async function children(cluster: Pool): Promise<ReadonlyMap<string, object>> {
  const all: readonly KubernetesObject[] = [...(await cluster.list(Deployment)), ...(await cluster.list(ConfigMap))];
  const objects = all.filter(({ metadata }) => metadata.ownerReferences?.[0]?.kind === 'Kiln');
  return new Map(objects.map((object) => [`${object.kind} ${object.metadata.name}`, { ...object, status: undefined }]));
}

function linesOf(before: ReadonlyMap<string, object>, after: ReadonlyMap<string, object>): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((name) => {
    const [old, young] = [before.get(name), after.get(name)];
    if (old === undefined) return [`create ${name}`];
    if (young === undefined) return [`delete ${name}`];
    return fieldChangesOf('', old, young).flatMap((field) => (field.path === REVISION ? [] : [`${name}: ${fieldChangeText(field)}`]));
  });
}

const plannedLines = (changes: readonly PlannedChange[]): readonly string[] =>
  changes.flatMap(({ action, object: { kind, name }, fields }) =>
    action === 'change' ? fields.map((field) => `${kind} ${name}: ${fieldChangeText(field)}`) : [`${action} ${kind} ${name}`],
  );

const RELEASES: readonly (readonly [string, KilnRelease, boolean])[] = [
  ['nothing', {}, false],
  ['an annotation', { annotation: 'x' }, false],
  ['another number of replicas', { replicas: 2 }, false],
  ['another image', { image: 'kiln:2', replicas: 2, annotation: 'x' }, true],
  ['another port and label', { image: 'kiln:2', port: 8080, label: 'oven', replicas: 2 }, true],
  ['a child of another name', { image: 'kiln:2', port: 8080, label: 'oven', replicas: 2, configName: 'values' }, false],
  ['a child less', { image: 'kiln:2', port: 8080, label: 'oven', replicas: 2, hasConfig: false }, false],
];

/** Releases follow each other in one cluster. Each is planned from what --context reads, and then started. */
describeCluster(
  'keelson plan --context',
  () => {
    test('says field by field what the next release then does on a real server, and whether Pods are replaced', async () => {
      await using cluster = await startOnPool({
        mode: 'cluster',
        operator: kilnOperator() as OperatorModel,
        webhooks: false,
        namespace: 'shop',
      });
      const kubeconfig = join(folder, 'kubeconfig');
      writeFileSync(kubeconfig, await cluster.kubeconfig());
      let running = await release(cluster, kilnOperator());
      try {
        await cluster.create(Kiln({ metadata: { name: 'a' }, spec: {} }));
        await cluster.until(Deployment, 'a', ({ metadata, status }) => status?.observedGeneration === metadata.generation);
        for (const [what, change, hasRestarts] of RELEASES) {
          const next = kilnOperator(change);
          const templates = await templatesOf(cluster);
          const before = await children(cluster);
          const { objects } = await readContext(next, { context: 'keelson', kubeconfig, namespace: 'shop' });
          const plan = await planOf({ operator: next, objects: objects.found, definitions: [], unread: [], timeoutMs: DEADLINE_MS });
          expect({ what, failures: plan.failures, unfit: plan.unfit, notes: plan.notes }).toEqual({
            what,
            failures: [],
            unfit: [],
            notes: [],
          });
          await running.stop();
          running = await release(cluster, next);
          const planned = [...plannedLines(plan.changes)].sort();
          await cluster.until(async () => {
            expect({ what, lines: [...linesOf(before, await children(cluster))].sort() }).toEqual({ what, lines: planned });
            expect(running.isSettled).toBe(true);
          });
          await cluster.until(Deployment, 'a', ({ metadata, status }) => status?.observedGeneration === metadata.generation);
          expect({ what, hasRestarts: plan.restarts.length > 0 }).toEqual({ what, hasRestarts });
          expect({ what, isReplaced: (await templatesOf(cluster)).some((hash) => !templates.includes(hash)) }).toEqual({
            what,
            isReplaced: hasRestarts,
          });
        }
      } finally {
        await running.stop();
      }
    });
  },
  { controllerManager: true },
);

/** Each is one of the templates that Pods were made of. */
async function templatesOf(cluster: Pool): Promise<readonly string[]> {
  await cluster.until(async () => expect(await cluster.list(Pod)).not.toEqual([]));
  return (await cluster.list(Pod)).map(({ metadata }) => metadata.labels?.['pod-template-hash'] ?? '');
}
