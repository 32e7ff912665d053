import type { OpenApiSchema } from '../../src/api-server/values/apply/index.js';
import { configMapSubject } from '../api-server/values/apply/differential/config-map.js';
import { customResourceDefinition, customResourceSubject } from '../api-server/values/apply/differential/custom-resource.js';
import { deploymentSubject } from '../api-server/values/apply/differential/deployment.js';
import { Differential } from '../api-server/values/apply/differential/differential.js';
import { Random } from '../api-server/values/apply/differential/random.js';
import type { Subject } from '../api-server/values/apply/differential/subject.js';
import { Writes } from '../api-server/values/apply/differential/writes.js';
import { eventually } from '../eventually.js';
import { describeCluster, SharedCluster } from './harness/index.js';

/** Another seed finds other things; what it finds is repeated by naming it here. */
const SEED = Number(process.env['APPLY_SEED'] ?? 20_260_101);
const STEPS = Number(process.env['APPLY_STEPS'] ?? 200);

/** A server without controllers: nobody else writes to the objects. */
describeCluster('structured merge and managed fields, step by step', () => {
  let cluster: SharedCluster;
  beforeAll(async () => {
    cluster = SharedCluster.take('bare');
    await cluster.must('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', customResourceDefinition());
    const isServed = async (): Promise<boolean> => (await cluster.request('GET', '/apis/apply.example.com/v2/widgets')).status === 200;
    await eventually(isServed);
  });
  afterAll(() => cluster?.stop());

  async function definitions(path: string): Promise<(name: string) => OpenApiSchema | undefined> {
    const document = await cluster.must<{ components: { schemas: Record<string, OpenApiSchema> } }>('GET', path);
    return (name) => document.components.schemas[name];
  }

  async function play(subject: Subject, seed: number): Promise<ReadonlyMap<string, number>> {
    const random = new Random(seed);
    const name = `apply-${seed}`;
    const differential = new Differential(cluster, subject, name);
    const writes = new Writes(random, subject, name);
    for (let step = 0; step < STEPS; step += 1) {
      const hasFinalizers = JSON.stringify(differential.live ?? {}).includes('"finalizers":[');
      if (differential.live !== undefined && !hasFinalizers && random.chance(0.01)) await differential.delete();
      const before = differential.live;
      const write = writes.next(before);
      try {
        await differential.run(write);
      } catch (error) {
        const story = JSON.stringify({ subject: subject.kind, seed, step, write, before }, null, 1);
        throw new Error(`${error instanceof Error ? error.message : String(error)}\n${story}`, { cause: error });
      }
    }
    return differential.outcomes;
  }

  /** A run that meets only successes, or only refusals, has compared little. */
  function expectVariety(outcomes: ReadonlyMap<string, number>, least: Readonly<Record<string, number>>): void {
    const few = Object.entries(least).filter(([outcome, count]) => (outcomes.get(outcome) ?? 0) < count);
    expect({ few, outcomes: few.length === 0 ? [] : [...outcomes] }).toEqual({ few: [], outcomes: [] });
  }

  test('a ConfigMap', async () => {
    const outcomes = await play(configMapSubject(await definitions('/openapi/v3/api/v1')), SEED);
    expectVariety(outcomes, { 'apply success': 40, 'apply 409': 10, 'put success': 20, 'merge patch success': 5 });
  });

  test('a Deployment, with keyed lists in keyed lists', async () => {
    const outcomes = await play(deploymentSubject(await definitions('/openapi/v3/apis/apps/v1')), SEED + 1);
    expectVariety(outcomes, { 'apply success': 30, 'apply 409': 10, 'put success': 20, 'merge patch success': 5 });
  });

  test('a custom resource of two versions, with sets, maps and atomic values', async () => {
    const outcomes = await play(customResourceSubject(), SEED + 2);
    expectVariety(outcomes, { 'apply success': 40, 'apply 409': 10, 'put success': 20, 'merge patch success': 5 });
  });
});
