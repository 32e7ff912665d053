import type { InProcessCluster, KubeApiServerCluster } from '@keelson/testing';
import type { Operator, Resource } from 'keelson';
import { ConfigMap, Secret, ServiceAccount } from 'keelson/kinds';
import { RUNTIME_DEFAULTS } from '../../../src/keelson/definition/index.js';
import { type RunningOperator, start } from '../../../src/runtime/host/index.js';
import type { Connection } from '../../../src/runtime/http/index.js';
import { eventually } from '../../eventually.js';
import { MemoryLog } from '../../runtime/harness/running-controller.js';
import { FORGOTTEN, RECIPES, type Recipe, Site } from './recipes.js';

type Cluster = InProcessCluster | KubeApiServerCluster;
type Start = (operator: Operator) => Promise<Cluster>;

const QUIET = { ...RUNTIME_DEFAULTS, healthPort: 0, webhookPort: 0, metrics: undefined, leaseName: undefined };

/** The release before, in the name of an administrator: the rights that are installed are those of the release after. */
function startBefore(operator: Operator, connection: Connection): Promise<RunningOperator> {
  return start(operator, { connection, settings: QUIET, log: new MemoryLog(), processMetrics: false });
}

async function childrenIn(cluster: Cluster): Promise<readonly string[]> {
  const configs = (await cluster.list(ConfigMap)).map(
    ({ metadata, data = {} }) => `ConfigMap ${metadata.name} ${Object.keys(data).join()}`,
  );
  const secrets = (await cluster.list(Secret)).map(({ metadata, data = {} }) => `Secret ${metadata.name} ${Object.keys(data).join()}`);
  const accounts = (await cluster.list(ServiceAccount)).map(({ metadata }) => `ServiceAccount ${metadata.name}`);
  // The namespace has objects of others too.
  return [...configs, ...secrets, ...accounts].filter((text) => /^\w+ (a|going)(-\w+)?( |$)/.test(text)).sort();
}

/** Children that go with their owner. */
async function heldIn(cluster: Cluster): Promise<readonly string[]> {
  const isHeld = ({ ownerReferences = [] }: { readonly ownerReferences?: readonly object[] | undefined }): boolean =>
    ownerReferences.length > 0;
  const configs = (await cluster.list(ConfigMap)).filter(({ metadata }) => metadata.name === 'a' && isHeld(metadata));
  const secrets = (await cluster.list(Secret)).filter(({ metadata }) => metadata.name === 'a' && isHeld(metadata));
  return [...configs.map(({ data = {} }) => `ConfigMap a ${Object.keys(data).join()}`), ...secrets.map(() => 'Secret a key')];
}

function statusOf({ status = {} }: Resource<typeof Site>): readonly string[] {
  const { conditions = [], ...fields } = status;
  return [...conditions.map(({ type }) => type), ...Object.keys(fields)].sort();
}
/** Names that a release before left, on objects as they are stored. */
async function formerNamesIn(cluster: Cluster, names: readonly string[]): Promise<readonly string[]> {
  const objects = await Promise.all([cluster.list(Site), cluster.list(ConfigMap)]);
  return names.filter((name) => JSON.stringify(objects).includes(`"${name}`));
}

const READY = { status: { seen: 1, conditions: [{ type: 'Ready', status: 'True' as const }] } };

/** Renames and removals, each from one release to the next: the same in the process and on real binaries, under exactly the rights of the manifests. */
export function renamesSuite(clusterFor: Start): void {
  let cluster: Cluster | undefined;
  afterEach(() => cluster?.close());

  /** Two objects that the release before has made whole; what it made once is gone again, and one object is being deleted while no release runs. */
  async function begin({ before, after }: Pick<Recipe, 'before' | 'after'>): Promise<Cluster> {
    cluster = await clusterFor(after);
    const running = await startBefore(before, cluster.connection);
    for (const name of ['a', 'going']) await cluster.create(Site({ metadata: { name }, spec: {} }));
    for (const name of ['a', 'going']) await cluster.until(Site, name, READY);
    await eventually(() => running.isSettled);
    await running.stop();
    for (const { metadata } of await cluster.list(ServiceAccount))
      if (metadata.name.endsWith('-once')) await cluster.delete(ServiceAccount, metadata.name);
    for (const { metadata } of await cluster.list(ConfigMap))
      if (metadata.name.endsWith('-first')) await cluster.delete(ConfigMap, metadata.name);
    await cluster.delete(Site, 'going');
    return cluster;
  }

  test.each(Object.entries(RECIPES))('%s: nothing of before is left, and no deletion hangs', async (_, recipe) => {
    const { finalizers = [], children, kept = [] } = recipe;
    const own = await begin(recipe);
    const log = new MemoryLog();
    const running = await own.startOperator({ log });
    await own.until(Site, 'going', 'absent');
    let found: readonly string[] = [];
    await eventually(
      async () => {
        found = (await childrenIn(own)).filter((text) => !text.includes(' going'));
        return JSON.stringify(found) === JSON.stringify(children);
      },
      () => `${found.join('; ')} instead of ${children.join('; ')}`,
    );
    await own.until(Site, 'a', (site) => {
      expect(site.metadata.finalizers ?? []).toEqual(finalizers);
      // What the release before stated beside these is gone.
      expect(statusOf(site)).toEqual(['Ready', 'seen']);
    });
    await eventually(() => running.isSettled);
    expect(log.lines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
    // A control plane without the garbage collector deletes no children.
    expect(await heldIn(own)).toEqual(children.filter((text) => !kept.includes(text)));
    await own.delete(Site, 'a');
    await own.until(Site, 'a', 'absent');
    await running.stop();
    own.requests.byUser(`system:serviceaccount:${recipe.after.name}-system:${recipe.after.name}`).expectNoneDenied();
  });

  test('without a word about it the name is reported, and the object stays', async () => {
    const own = await begin(FORGOTTEN);
    const log = new MemoryLog();
    const running = await own.startOperator({ log });
    await own.until(Site, 'a', READY);
    const said = () => log.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields['finalizer'] ?? fields['madeBy']);
    await eventually(() => said().length === 2);
    expect(said()).toEqual(['renames.example.com/sites', 'site-operator/sites']);
    await own.until(Site, 'going', 'present');
    await running.stop();
    // The next release says it, and everything goes on.
    const next = RECIPES['a controller gets another name'];
    const again = await startBefore(next?.after as Operator, own.connection);
    await own.until(Site, 'going', 'absent');
    await again.stop();
    expect(await formerNamesIn(own, ['renames.example.com/sites'])).toEqual([]);
  });
}
