import { type CustomResourceModel, customResourceDefinitionManifest } from 'keelson';
import { CustomResourceDefinition } from 'keelson/kinds';
import { operator as cronjob } from '../../examples/cronjob/cronjob-operator.js';
import { backupOperator } from '../../examples/etcd/etcd-backup-operator.js';
import { operator as etcd } from '../../examples/etcd/etcd-operator.js';
import { operator as memcached } from '../../examples/memcached/memcached-operator.js';
import { operator as prometheus } from '../../examples/prometheus/prometheus-operator.js';
import { operator as sidecarset } from '../../examples/sidecarset/sidecarset-operator.js';
import { type ApiClient, createClient, jsonPatch } from '../../src/runtime/client/index.js';
import { connectionOf, loadConnection } from '../../src/runtime/http/index.js';
import { SchemaReview } from '../../src/runtime/served-schemas/index.js';
import { eventually } from '../eventually.js';
import { FakeClock } from '../runtime/clock/fake-clock.js';
import { MemoryLog } from '../runtime/harness/running-controller.js';
import { describeCluster } from './harness/index.js';

const RESOURCES: readonly CustomResourceModel[] = [cronjob, backupOperator, etcd, memcached, prometheus, sidecarset].flatMap(
  ({ customResources }) => customResources,
);
const MEMCACHED = 'memcacheds.cache.example.com';
const SPEC = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties';

describeCluster('2E-3: schemas that a real API server serves, beside those of the definitions', (cluster) => {
  let admin: ApiClient;
  let nobody: ApiClient;
  beforeAll(async () => {
    admin = createClient({ connection: await loadConnection({ environment: { KUBECONFIG: cluster.kubeconfig } }), fieldManager: 'admin' });
    // Somebody without any right but those of every authenticated user.
    const impersonate = { user: 'nobody@example.com', groups: ['system:authenticated'] };
    const { ca } = cluster.connection;
    nobody = createClient({ connection: connectionOf({ server: cluster.url, ca, token: cluster.adminToken, impersonate }) });
    for (const resource of RESOURCES)
      await admin.apply(CustomResourceDefinition, customResourceDefinitionManifest(resource, { conversionWebhook: false }) as never, {
        force: true,
      });
    await eventually(async () => (await review()).compared === RESOURCES.length, 'the API server serves all kinds');
  });
  afterAll(async () => {
    const names = RESOURCES.map(({ plural, group }) => `${plural}.${group}`);
    // A kube-apiserver that makes the storage of a kind when its definition is deleted cannot list its objects, and tries again minutes later.
    for (const name of names) await cluster.untilServed(name);
    for (const name of names) await admin?.delete(CustomResourceDefinition, { name });
    // Another suite on this server may install one of them next, and would lose it.
    const areGone = async (): Promise<true> => {
      const { items } = await admin.list(CustomResourceDefinition);
      expect(
        items.filter(({ metadata }) => names.includes(metadata.name)).map(({ metadata, status }) => [metadata.name, status?.conditions]),
      ).toEqual([]);
      return true;
    };
    await eventually(areGone, 'the definitions are gone', () => true);
    nobody?.close();
    admin?.close();
  });

  /** One review from its beginning. */
  async function review(): Promise<{ readonly compared: number; readonly missing: unknown; readonly log: MemoryLog }> {
    const [clock, log, end] = [new FakeClock(), new MemoryLog(), new AbortController()];
    const counts = new Map<string, number>();
    const observer = { missing: (crd: string, count: number): void => void (end.signal.aborted || counts.set(crd, count)) };
    const ended = new SchemaReview({ client: nobody, clock, log, resources: RESOURCES, observer }).run(end.signal);
    clock.advance(10_000);
    await clock.timer((delayMs) => delayMs >= 60_000);
    end.abort();
    await ended;
    const { size } = counts;
    return { compared: size, missing: log.lines.flatMap(({ fields: { missing } }) => missing ?? []), log };
  }

  test('a definition lacks nothing of what the server makes of its CustomResourceDefinition', async () => {
    // The documents of some versions may still be those of another suite: a server publishes them one after the other.
    let lines: readonly unknown[] = [];
    await eventually(
      async () => {
        ({ lines } = (await review()).log);
        return lines.length === 0;
      },
      () => `nothing is lacking; it is ${JSON.stringify(lines)}`,
    );
  });

  test('a field of the spec that is taken away is named, and named no more when it is back', async () => {
    const { spec } = await admin.get(CustomResourceDefinition, { name: MEMCACHED });
    const { properties = {} } = spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'] ?? {};
    const [field = ''] = Object.keys(properties).filter((name) => name !== 'size');
    const version = spec.versions[0]?.name;
    await admin.patch(CustomResourceDefinition, { name: MEMCACHED }, jsonPatch([{ op: 'remove', path: `${SPEC}/${field}` }]));
    const isNamed = async (): Promise<boolean> => JSON.stringify((await review()).missing) === JSON.stringify([`${version} spec.${field}`]);
    await eventually(isNamed);
    const value = properties[field];
    await admin.patch(
      CustomResourceDefinition,
      { name: MEMCACHED },
      jsonPatch([{ op: 'add', path: `${SPEC}/${field}`, value: value as never }]),
    );
    await eventually(async () => (await review()).log.lines.length === 0);
  });
});
