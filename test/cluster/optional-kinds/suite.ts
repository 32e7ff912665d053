import { type InProcessCluster, isApiError, type KubeApiServerCluster, mergePatch, type RunningOperator } from '@keelson/testing';
import { customResourceDefinitionManifest, type PolicyRule } from 'keelson';
import { ClusterRole, CustomResourceDefinition } from 'keelson/kinds';
import { eventually } from '../../eventually.js';
import { MemoryLog } from '../../runtime/harness/running-controller.js';
import { unusedRights } from '../examples-harness/index.js';
import { retryRefused } from '../harness/retry-refused.js';
import { Gate, Issuer, Monitor, operator, Page } from './operator.js';

const ACCOUNT = `system:serviceaccount:${operator.name}-system:${operator.name}`;
type Definition = typeof Monitor;

/** Kinds of others that come and go: the same in the process and on real binaries, under exactly the rights of the manifests. */
export function optionalKindsSuite(start: () => Promise<InProcessCluster | KubeApiServerCluster>): void {
  let cluster: InProcessCluster | KubeApiServerCluster;
  let running: RunningOperator;
  let webhooks: WebhookWatch;
  const log = new MemoryLog();
  beforeAll(async () => {
    cluster = await start();
    running = await cluster.startOperator({ log });
    // A server takes up a new webhook a moment after its configuration was written.
    await retryRefused(() => refusedAsWrong(cluster), { codes: [500, 503] });
    webhooks = new WebhookWatch(() => refusedAsWrong(cluster));
  });
  afterAll(async () => {
    await webhooks?.stop();
    await cluster?.close();
  });

  const install = async (kind: Definition): Promise<void> =>
    void (await retryRefused(() => cluster.create(customResourceDefinitionManifest(kind) as never), { codes: [503] }));
  const nameOf = ({ plural, group }: Definition): string => `${plural}.${group}`;
  // An operator that has not heard of the deletion yet puts its child back: the server answers 403 to that as well, whatever its rights.
  const whileDeleted = new Set<number>();
  const remove = async (kind: Definition): Promise<void> => {
    const { mark } = cluster.requests;
    await cluster.delete(CustomResourceDefinition, nameOf(kind));
    await cluster.until(CustomResourceDefinition, nameOf(kind), 'absent');
    for (const { number } of cluster.requests.since(mark).filter({ kind, verb: 'patch' })) whileDeleted.add(number);
  };
  const controllerStarts = (): number => log.texts.filter((text) => text === 'info reconciling').length;
  const isReady = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${running.ports.health}/readyz`)).status === 200;
  const waiting = (): readonly string[] => running.controllerProblems.map(({ what }) => what);

  test('without the kinds of others the process is ready, and its webhooks answer', async () => {
    await cluster.create(Page({ metadata: { name: 'a' }, spec: { title: 'A' } }));
    const { status } = await cluster.until(Page, 'a', { status: { monitored: false, conditions: [{ type: 'Ready', status: 'True' }] } });
    expect(status?.issuers).toBeUndefined();
    expect([await isReady(), running.readinessProblems]).toEqual([true, []]);
    // The kind that a controller needs is missing as well: that is its own matter.
    expect(waiting()).toEqual(['cache of Gate']);
  });

  test('when a kind comes its watch begins, and the objects run again', async () => {
    await install(Monitor);
    await cluster.until(Monitor, 'a', { spec: { page: 'a' } });
    await cluster.until(Page, 'a', { status: { monitored: true } });
    await install(Issuer);
    await cluster.until(Page, 'a', { status: { issuers: 0 } });
    await install(Gate);
    await cluster.until(Page, 'a', { status: { gates: 0 } });
    await eventually(() => waiting().length === 0);
  });

  test.each([
    ['is optional', Monitor, []],
    ['a controller needs', Gate, ['cache of Gate']],
  ] as const)(
    'a kind that %s goes for a while and comes back: webhooks answer all the while, and nothing is started again',
    async (_, kind, said) => {
      const before = { webhooks: webhooks.answered, started: controllerStarts() };
      await remove(kind);
      if (kind === Monitor) await cluster.until(Page, 'a', { status: { monitored: false } });
      await eventually(
        () => JSON.stringify(waiting()) === JSON.stringify(said),
        () => `${waiting().join()} instead of ${said.join()}`,
      );
      // As long as it takes for the process to ask for the kind again, and for webhooks to be asked many times.
      await eventually(() => webhooks.answered > before.webhooks + 50);
      expect([await isReady(), running.isStopping, waiting()]).toEqual([true, false, said]);
      await install(kind);
      if (kind === Monitor) {
        await cluster.until(Monitor, 'a', { spec: { page: 'a' } });
        await cluster.until(Page, 'a', { status: { monitored: true } });
      } else {
        await eventually(() => waiting().length === 0);
        await cluster.create(Gate({ metadata: { name: 'g' }, spec: {} }));
        await cluster.patch(Page, 'a', mergePatch({ metadata: { labels: { touched: 'yes' } } }));
        await cluster.until(Page, 'a', { status: { gates: 1 } });
      }
      expect(controllerStarts()).toBe(before.started);
      expect(webhooks.failures).toEqual([]);
    },
  );

  test('nothing was refused, and every right that is granted has been used', async () => {
    await running.stop();
    const requests = cluster.requests.byUser(ACCOUNT);
    expect(requests.denied().all.filter(({ number }) => !whileDeleted.has(number))).toEqual([]);
    const { rules = [] } = await cluster.get(ClusterRole, operator.name);
    const others = (rules as PolicyRule[]).filter(({ apiGroups = [] }) => apiGroups.includes('others.example.com'));
    // Nothing stopped being desired while its kind was there, and lists are streamed.
    expect(unusedRights(others, requests)).toEqual([
      'delete monitors.others.example.com',
      'list gates.others.example.com',
      'list monitors.others.example.com',
    ]);
  });
}

/** The webhook refuses what is wrong. @throws what the server answered instead */
async function refusedAsWrong(cluster: InProcessCluster | KubeApiServerCluster): Promise<void> {
  try {
    await cluster.create(Page({ metadata: { name: 'probe' }, spec: { title: 'wrong' } }), { dryRun: true });
  } catch (error) {
    if (isApiError(error) && error.httpStatus === 422 && error.message.includes('is wrong')) return;
    throw error;
  }
  throw new Error('the webhook was not asked');
}

/** Asks the webhook again and again, one request after the other. */
class WebhookWatch {
  readonly failures: string[] = [];
  answered = 0;
  #isOver = false;
  readonly #ended: Promise<void>;

  constructor(ask: () => Promise<void>) {
    this.#ended = this.#run(ask);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#ended;
  }

  async #run(ask: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      await ask().catch((error: unknown) => this.failures.push(String(error)));
      this.answered += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
