import { CustomResourceDefinition } from 'keelson/kinds';
import type { ObjectMeta } from '../../src/kubernetes/apimachinery/index.js';
import { type ApiClient, createClient, isNotFound, jsonPatch } from '../../src/runtime/client/index.js';
import { loadConnection } from '../../src/runtime/http/index.js';
import { eventually } from '../eventually.js';
import { CRD_NAME, fill, install, kindOf, type Life, live, storedVersions } from '../runtime/migration/releases.js';
import { describeCluster } from './harness/index.js';

const OBJECTS = 10_000;
const KILLS = 20;
const PAGE = 250;

async function remove(client: ApiClient): Promise<void> {
  await client.delete(CustomResourceDefinition, { name: CRD_NAME });
  const isGone = async (): Promise<boolean> =>
    isNotFound(await client.get(CustomResourceDefinition, { name: CRD_NAME }).catch((error: unknown) => error));
  // Its 10,000 objects go first.
  await eventually(isGone);
}

describeCluster('stored versions on kube-apiserver', (cluster) => {
  let client: ApiClient;
  beforeAll(async () => {
    const connection = await loadConnection({ environment: { KUBECONFIG: cluster.kubeconfig } });
    client = createClient({ connection, fieldManager: 'valves' });
  });
  afterAll(() => client?.close());
  afterEach(() => remove(client));

  test('10,000 objects of v1alpha1, killed 20 times in between: v1 is the only stored version, and v1alpha1 can be dropped', async () => {
    await install(client, 'alpha');
    await fill(client, 'alpha', OBJECTS);
    await install(client, 'both');
    expect(await storedVersions(client)).toEqual(['v1alpha1', 'v1']);
    await expect(install(client, 'dropped')).rejects.toThrow('status.storedVersions');

    const lives: Life[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      lives.push(await live(client, 'both', PAGE * 1.5, PAGE));
      expect(await storedVersions(client)).toEqual(['v1alpha1', 'v1']);
    }
    expect(lives.map(({ hasEnded }) => hasEnded)).toEqual(lives.map(() => false));
    lives.push(await live(client, 'both', Number.POSITIVE_INFINITY, PAGE));
    const writes = lives.reduce((sum, life) => sum + life.writes, 0);
    expect(writes).toBeLessThan(OBJECTS + KILLS * PAGE);
    expect(await storedVersions(client)).toEqual(['v1']);

    // An object that is still stored as v1alpha1 could not be read any more.
    await install(client, 'dropped');
    const { items } = await client.listAll(kindOf('dropped'), { namespace: 'default', limit: 1_000 } as never);
    expect(items).toHaveLength(OBJECTS);
  });

  test('without it the same drop loses the objects: the server reads them no more', async () => {
    await install(client, 'alpha');
    await fill(client, 'alpha', 20);
    await install(client, 'both');
    const steps = jsonPatch([{ op: 'replace', path: '/status/storedVersions', value: ['v1'] }]);
    await client.status(CustomResourceDefinition).patch({ name: CRD_NAME }, steps);
    await install(client, 'dropped').catch(() => undefined);
    const all = () => client.listAll(kindOf('dropped'), { namespace: 'default' } as never);
    // For a moment it still reads by the definition before.
    await eventually(() =>
      all().then(
        () => false,
        () => true,
      ),
    );
    await expect(all()).rejects.toThrow('invalid group/version');
    await install(client, 'both');
  });

  test('managed fields of a version that is gone do not stand in the way of server-side apply', async () => {
    await install(client, 'alpha');
    await fill(client, 'alpha', 20);
    await install(client, 'both');
    await live(client, 'both', Number.POSITIVE_INFINITY, PAGE);
    await install(client, 'unserved');
    expect(await live(client, 'unserved', Number.POSITIVE_INFINITY, PAGE)).toEqual({ writes: 20, hasEnded: true });
    await install(client, 'dropped');
    const valve = { metadata: { name: 'valve-7', namespace: 'default' }, spec: { size: 3 } } as never;
    await client.apply(kindOf('dropped'), valve, { fieldManager: 'admin', force: true });
    const { metadata } = (await client.get(kindOf('dropped'), { name: 'valve-7', namespace: 'default' } as never)) as {
      metadata: ObjectMeta;
    };
    expect(metadata.managedFields?.map(({ manager, apiVersion }) => `${manager} ${apiVersion}`)).toEqual([
      'keelson-stored-versions migration.keelson.example/v1',
      'admin migration.keelson.example/v1',
    ]);
  });
});
