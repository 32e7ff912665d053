import { type ExistingCluster, mergePatch, type RequestMark, strategicPatch, TestCluster } from '@keelson/testing';
import { ClusterRoleBinding, Deployment, Pod, Service, ServiceAccount } from 'keelson/kinds';
import { Memcached } from '../../../examples/memcached/memcached.js';
import { runIn } from '../../cli/commands.js';
import { DEADLINE_MS } from '../../deadline.cjs';
import { containerProcess, describeNode, IMAGES, installExample, untilAccepted } from './harness/index.js';
import { askMemcached } from './memcached-client.js';

const SYSTEM = 'memcached-system';
const OPERATOR = `${SYSTEM}/memcached-operator`;
const ACCOUNT = `system:serviceaccount:${SYSTEM}:memcached-operator`;
const PORT = 11311;

const memcached = (name: string, spec: Partial<Memcached['spec']> = {}) => Memcached({ metadata: { name }, spec: { size: 1, ...spec } });
const labelsOf = (name: string) => ({ 'app.kubernetes.io/instance': name });
const isReady = (size: number) => ({ status: { replicas: size, conditions: [{ type: 'Ready', status: 'True' }] } }) as const;

describeNode('memcached in Pods', (node) => {
  let cluster: ExistingCluster;
  /** Another suite may have installed the operator on this node before, and have taken its rights away while it still ran. */
  let installed: RequestMark;
  beforeAll(async () => {
    installed = node.requests.mark;
    await installExample(node, 'memcached');
    const namespace = await node.namespace('cache', { 'pod-security.kubernetes.io/enforce': 'restricted' });
    cluster = await TestCluster.start({ server: 'existing', kubeconfig: node.kubeconfig, namespace, timeout: DEADLINE_MS });
    await cluster.until(Deployment, OPERATOR, { status: { readyReplicas: 1 } });
    await untilAccepted(() => cluster.create(memcached('probe'), { dryRun: true }));
  });
  // What was created goes with the node.
  afterAll(() => cluster?.client.close());

  const podsOf = async (name: string) => {
    const pods = await cluster.list(Pod, { labels: labelsOf(name) });
    return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  };
  const ask = (address: string, command: string) => askMemcached({ address, port: PORT, command });
  /** kube-proxy leads a Service to a Pod a moment after the Pod is ready. */
  const untilAnswered = (address: string) => cluster.until(() => ask(address, 'version').then(Boolean, () => false));
  /** @returns the address at which the Memcached is served */
  const serve = async (name: string): Promise<string> => {
    await cluster.create(Service({ metadata: { name }, spec: { selector: labelsOf(name), ports: [{ port: PORT }] } }));
    const address = (await cluster.get(Service, name)).spec?.clusterIP ?? '';
    await untilAnswered(address);
    return address;
  };

  test('2C-3, 2C-4: the webhooks answer through their Service, with the certificate that the operator has made', async () => {
    const { spec } = await cluster.create(memcached('judged', { size: 1 }), { dryRun: true });
    expect(spec.resources).toEqual({ requests: { memory: '96Mi' } });
    await expect(cluster.create(memcached('even', { size: 2 }))).rejects.toThrow('must be odd');
  });

  test('2C-1, 2C-8, 2C-14: the image that the platform names runs under the restricted standard, and keeps what it is given', async () => {
    const { metadata } = await cluster.create(memcached('first', { port: PORT }));
    await cluster.until(Memcached, 'first', isReady(1));
    const deployment = await cluster.get(Deployment, 'first');
    expect(deployment.metadata.ownerReferences).toMatchObject([{ kind: 'Memcached', uid: metadata.uid, controller: true }]);
    const [pod] = await podsOf('first');
    expect(pod?.spec?.containers[0]?.image).toBe(IMAGES.memcached);
    const address = await serve('first');
    expect(await ask(address, 'version')).toMatch(/^VERSION 1\./);
    expect(await ask(address, 'set greeting 0 0 5\r\nhello')).toBe('STORED');
    expect(await ask(address, 'get greeting')).toBe('VALUE greeting 0 5\r\nhello\r\nEND');
  });

  test('2C-5: a new size is so many processes, each of which answers', async () => {
    await cluster.create(memcached('sized', { port: PORT }));
    await cluster.until(Memcached, 'sized', isReady(1));
    for (const size of [3, 1]) {
      await cluster.patch(Memcached, 'sized', mergePatch({ spec: { size } }));
      await cluster.until(Memcached, 'sized', ({ status }) => status?.nodes?.length === size && isReadyNow(status));
      await cluster.until(async () => (await podsOf('sized')).length === size);
      const pods = await podsOf('sized');
      const versions = await Promise.all(pods.map(({ status }) => ask(status?.podIP ?? '', 'version')));
      expect(versions).toEqual(pods.map(() => expect.stringMatching(/^VERSION/)));
      expect((await cluster.get(Memcached, 'sized')).status?.nodes).toEqual(pods.map(({ metadata }) => metadata.name).sort());
    }
  });

  test('a new image is rolled: the Service answers from new Pods', async () => {
    await cluster.create(memcached('rolled', { port: PORT }));
    await cluster.until(Memcached, 'rolled', isReady(1));
    const address = await serve('rolled');
    const [before] = await podsOf('rolled');
    await cluster.patch(Memcached, 'rolled', mergePatch({ spec: { image: IMAGES.otherMemcached } }));
    await cluster.until(Memcached, 'rolled', ({ metadata, status }) => {
      const ready = status?.conditions?.find(({ type }) => type === 'Ready');
      return ready?.status === 'True' && ready.observedGeneration === metadata.generation && status?.nodes?.[0] !== before?.metadata.name;
    });
    const [after] = await podsOf('rolled');
    expect(after?.spec?.containers[0]?.image).toBe(IMAGES.otherMemcached);
    await untilAnswered(address);
  });

  test('2C-15: a memcached that is killed is started again, and its restart is seen', async () => {
    await cluster.create(memcached('killed', { port: PORT }));
    await cluster.until(Memcached, 'killed', isReady(1));
    const [pod] = await podsOf('killed');
    const name = pod?.metadata.name ?? '';
    process.kill(containerProcess(pod?.metadata.uid ?? '', 'memcached'), 'SIGKILL');
    await cluster.until(Pod, name, ({ status }) => status?.containerStatuses?.[0]?.restartCount === 1);
    await cluster.until(Memcached, 'killed', isReady(1));
    const status = (await cluster.get(Pod, name)).status?.containerStatuses?.[0];
    expect(status?.lastState?.terminated?.exitCode).toBe(137);
  });

  test('2C-10: deleted, it goes, and its Pods with it', async () => {
    await cluster.create(memcached('deleted', { port: PORT }));
    await cluster.until(Memcached, 'deleted', isReady(1));
    await cluster.delete(Memcached, 'deleted');
    await cluster.until(Memcached, 'deleted', 'absent');
    await cluster.until(Deployment, 'deleted', 'absent');
    await cluster.until(async () => (await cluster.list(Pod, { labels: labelsOf('deleted') })).length === 0);
  });

  test('2C-19: an operator whose Pod is replaced writes nothing that is right already', async () => {
    await cluster.create(memcached('quiet', { port: PORT }));
    await cluster.until(Memcached, 'quiet', isReady(1));
    const [old] = await operatorPods();
    const { mark } = node.requests;
    await cluster.delete(Pod, `${SYSTEM}/${old?.metadata.name}`);
    await cluster.until(async () => {
      const [pod, ...others] = await operatorPods();
      return others.length === 0 && pod?.metadata.name !== old?.metadata.name && podIsReady(pod?.status);
    });
    // The new one works once it serves a new Memcached; by then it has looked at those that were there.
    await untilAccepted(() => cluster.create(memcached('fence', { port: PORT })));
    await cluster.until(Memcached, 'fence', isReady(1));
    const written = node.requests.since(mark).byUser(ACCOUNT).writes().all;
    const ofOthers = written.filter(({ name, namespace }) => namespace === cluster.namespace && name !== 'fence');
    expect(ofOthers.filter(({ resource }) => resource !== 'events')).toEqual([]);
  });

  test('2C-21: nothing that the operator asked for was refused', () => {
    const asked = node.requests.since(installed).byUser(ACCOUNT);
    expect(asked.length).toBeGreaterThan(20);
    asked.expectNoneDenied();
  });

  test('keelson why prints the journal of the operator, through the port of its Pod', async () => {
    const place = { namespace: SYSTEM, name: 'memcached-operator' };
    const { spec } = await cluster.get(Deployment, place);
    const [container] = spec?.template.spec?.containers ?? [];
    const env = [...(container?.env ?? []), { name: 'KEELSON_JOURNAL', value: 'true' }];
    await cluster.patch(
      Deployment,
      place,
      strategicPatch({ spec: { template: { spec: { containers: [{ name: container?.name, env }] } } } }),
    );
    await cluster.until(
      Deployment,
      place,
      ({ metadata, status }) => status?.observedGeneration === metadata.generation && status?.updatedReplicas === 1,
    );
    await cluster.until(Deployment, place, { status: { replicas: 1, readyReplicas: 1 } });
    await cluster.create(ServiceAccount({ metadata: { name: 'reader' } }));
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
    const subjects = [{ kind: 'ServiceAccount', name: 'reader', namespace: cluster.namespace }];
    await cluster.create(ClusterRoleBinding({ metadata: { name: 'journal-reader' }, roleRef, subjects }));
    await untilAccepted(() => cluster.create(memcached('asked', { port: PORT })));
    await cluster.until(Memcached, 'asked', isReady(1));
    const args = ['-n', cluster.namespace, '--operator', OPERATOR, '--service-account', `${cluster.namespace}/reader`];
    const { status, out, error } = await runIn(__dirname, ['why', 'memcached/asked', ...args, '--kubeconfig', node.kubeconfig]);
    expect([status, error]).toEqual([0, '']);
    expect(out).toContain(`memcached: Memcached ${cluster.namespace}/asked`);
    expect(out).toContain('  success after ');
  });

  const operatorPods = () => cluster.list(Pod, { namespace: SYSTEM, labels: { 'app.kubernetes.io/component': 'operator' } });
});

const podIsReady = (status: Pod['status']): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;

const isReadyNow = (status: Memcached['status']): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;
