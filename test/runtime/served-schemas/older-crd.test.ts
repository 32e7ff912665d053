import { FakeClock, type InProcessCluster, jsonPatch, TestCluster } from '@keelson/testing';
import { CustomResourceDefinition } from 'keelson/kinds';
import { RUNTIME_DEFAULTS } from '../../../src/keelson/definition/index.js';
import { type RunningOperator, start } from '../../../src/runtime/host/index.js';
import type { Connection } from '../../../src/runtime/http/index.js';
import { runtimeClockOf } from '../../../src/testing/cluster/operator-runs.js';
import { connectionTo } from '../harness/connection.js';
import { MemoryLog } from '../harness/running-controller.js';
import { Website, websiteOperator } from '../reconcile/website.js';

const CRD = 'websites.web.example.com';
const MISSING = { schema: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/withService' };

describe('an operator whose CustomResourceDefinition is older than itself', () => {
  let cluster: InProcessCluster;
  let running: RunningOperator;
  const clock = new FakeClock();
  const log = new MemoryLog();
  beforeAll(async () => {
    cluster = await TestCluster.start({ operator: websiteOperator, namespace: 'shop', clock });
    await cluster.patch(CustomResourceDefinition, CRD, jsonPatch([{ op: 'remove', path: MISSING.schema }]));
    running = await start(websiteOperator, {
      connection: await ownConnection(),
      clock: runtimeClockOf(clock),
      log,
      environment: {},
      processMetrics: false,
      settings: { ...RUNTIME_DEFAULTS, listenAddress: '127.0.0.1', healthPort: 0, metrics: { port: 0, secure: false } },
    });
    await cluster.until(() => running.readinessProblems.length === 0);
  });
  afterAll(async () => {
    await running?.stop();
    await cluster.close();
  });

  /** As the ServiceAccount of the operator, with the rights of its manifests. */
  async function ownConnection(): Promise<Connection> {
    const connection = connectionTo(cluster);
    return connection;
  }

  const metric = async (): Promise<string | undefined> => {
    const text = await (await fetch(`http://127.0.0.1:${running.ports.metrics}/metrics`)).text();
    return text.split('\n').find((line) => line.startsWith('keelson_crd_missing_fields{'));
  };

  test('its start does not wait for the schema, and asks for none', async () => {
    expect(running.readinessProblems).toEqual([]);
    expect(cluster.requests.all.filter(({ url }) => url.startsWith('/openapi'))).toEqual([]);
  });

  test('2E-3: it names the field of the spec that the server drops, with its own rights alone', async () => {
    clock.advance('10s');
    await cluster.until(() => expect(log.lines.map(({ fields }) => fields['missing'])).toContainEqual(['v1 spec.withService']));
    cluster.requests.expectNoneDenied();
    const { spec } = await cluster.create(Website({ metadata: { name: 'a' }, spec: { withService: false } }));
    expect(spec).not.toHaveProperty('withService');
    expect(running.readinessProblems).toEqual([]);
    expect(await metric()).toBe(`keelson_crd_missing_fields{crd="${CRD}"} 1`);
  });

  test('2E-4: it says so when the CustomResourceDefinition has been upgraded, without a restart', async () => {
    const value = { type: 'boolean', default: true };
    await cluster.patch(CustomResourceDefinition, CRD, jsonPatch([{ op: 'add', path: MISSING.schema, value }]));
    clock.advance('60s');
    await cluster.until(() =>
      expect(log.texts).toContain('info Website: the CustomResourceDefinition on the cluster lacks nothing any more'),
    );
    expect(await metric()).toBe(`keelson_crd_missing_fields{crd="${CRD}"} 0`);
  });
});
