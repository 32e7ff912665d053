import { type ExistingCluster, mergePatch, type RequestMark, TestCluster } from '@keelson/testing';
import { Deployment, Pod, type PodSpec } from 'keelson/kinds';
import { SYSTEM_NAMESPACE } from '../../../examples/sidecarset/names.js';
import { SidecarSet } from '../../../examples/sidecarset/sidecar-set.js';
import { DEADLINE_MS } from '../../deadline.cjs';
import { mostUnavailable } from '../examples-sidecarset/most-unavailable.js';
import type { StoredPod } from '../node-player.js';
import { describeNode, IMAGES, installExample, PROXY_FOLDER, untilAccepted } from './harness/index.js';

const OPERATOR = 'sidecarset-operator';
const DEPLOYMENT = `${SYSTEM_NAMESPACE}/${OPERATOR}`;
const ACCOUNT = `system:serviceaccount:${SYSTEM_NAMESPACE}:${OPERATOR}`;
const PORT = 8080;
const restricted = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true };

type SetSpec = Parameters<typeof SidecarSet>[0]['spec'];
type Change = Partial<SetSpec>;

const proxy = (name: string, image: string, env: readonly { name: string; value: string }[] = []) => ({
  name: `${name}-proxy`,
  image,
  // The first process of a container gets no signal that it does not ask for.
  command: ['/bin/sh', '-c', `trap 'exit 0' TERM; httpd -f -p ${PORT} -h ${PROXY_FOLDER} & wait`],
  readinessProbe: { httpGet: { path: '/version', port: PORT }, periodSeconds: 1 },
  securityContext: restricted,
  env: [...env],
});

/** Ready while its file is there. */
const podSpec: PodSpec = {
  terminationGracePeriodSeconds: 0,
  automountServiceAccountToken: false,
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  volumes: [{ name: 'state', emptyDir: {} }],
  containers: [
    {
      name: 'app',
      image: IMAGES.app,
      command: ['/bin/sh', '-c', 'touch /state/ready && exec sleep 100000'],
      readinessProbe: { exec: { command: ['test', '-f', '/state/ready'] }, periodSeconds: 1 },
      volumeMounts: [{ name: 'state', mountPath: '/state' }],
      securityContext: restricted,
    },
  ],
};

const podOf = (name: string, app: string) => Pod({ metadata: { name, labels: { app } }, spec: podSpec });
const setOf = (name: string, change: Change = {}) =>
  SidecarSet({
    metadata: { name },
    spec: { selector: { matchLabels: { app: name } }, containers: [proxy(name, IMAGES.proxy1)], ...change },
  });

describeNode('sidecarset in Pods', (node) => {
  let cluster: ExistingCluster;
  /** Another suite may have installed the operator on this node before, and have taken its rights away while it still ran. */
  let installed: RequestMark;
  beforeAll(async () => {
    installed = node.requests.mark;
    await installExample(node, 'sidecarset');
    const namespace = await node.namespace('side', { 'pod-security.kubernetes.io/enforce': 'restricted' });
    cluster = await TestCluster.start({ server: 'existing', kubeconfig: node.kubeconfig, namespace, timeout: DEADLINE_MS });
    await operatorIsReady();
  });
  // What was created goes with the node.
  afterAll(() => cluster?.client.close());

  const operatorIsReady = async (replicas = 2): Promise<void> => {
    await cluster.until(Deployment, DEPLOYMENT, { status: { readyReplicas: replicas, updatedReplicas: replicas } });
    await untilAccepted(() => cluster.create(podOf('probe', 'nobody'), { dryRun: true }));
    await untilAccepted(() => cluster.create(setOf('probe'), { dryRun: true }));
  };
  /** Resolves when new Pods get the sidecars. */
  const createSet = async (name: string, change?: Change): Promise<SidecarSet> => {
    await cluster.create(setOf(name, change));
    await injects(name);
    return (await cluster.get(SidecarSet, name)) as SidecarSet;
  };
  const injects = (name: string): Promise<unknown> =>
    cluster.until(async () => {
      const shown = await cluster.create(podOf('shown', name), { dryRun: true });
      return shown.spec?.containers.length === 2;
    });
  const createPods = async (app: string, count: number): Promise<string[]> => {
    const names = Array.from({ length: count }, (_, index) => `${app}-${index}`);
    for (const name of names) await cluster.create(podOf(name, app));
    for (const name of names) await untilReady(name);
    return names;
  };
  const untilReady = (name: string) => cluster.until(Pod, name, { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  const untilCounts = (name: string, ...[matchedPods, updatedPods, readyPods]: readonly [number, number, number]) =>
    cluster.until(SidecarSet, name, { status: { matchedPods, updatedPods, readyPods } });
  /** Resolves when the controller has seen it. */
  const change = async (name: string, spec: object): Promise<void> => {
    await cluster.patch(SidecarSet, name, mergePatch({ spec } as never));
    await cluster.until(SidecarSet, name, ({ metadata, status }) => status?.observedGeneration === metadata.generation);
  };
  /** Every Pod runs the images of the spec. */
  const untilUpdated = (name: string) =>
    cluster.until(SidecarSet, name, { status: { conditions: [{ type: 'Ready', status: 'True', reason: 'PodsUpdated' }] } });
  const podsOf = (names: readonly string[]) => Promise.all(names.map((name) => cluster.get(Pod, name)));
  /** The sidecar itself says which version it is. */
  const versionOf = async (name: string): Promise<string> => {
    const { status } = await cluster.get(Pod, name);
    const answer = await fetch(`http://${status?.podIP}:${PORT}/version`, { signal: AbortSignal.timeout(DEADLINE_MS) });
    return answer.text();
  };
  const restartsOf = async (name: string): Promise<Record<string, number>> => {
    const { status } = await cluster.get(Pod, name);
    return Object.fromEntries((status?.containerStatuses ?? []).map((container) => [container.name, container.restartCount]));
  };
  const setReady = async (pod: string, isReady: boolean): Promise<void> => {
    const command = isReady ? 'touch /state/ready' : 'rm /state/ready';
    const { code, stderr } = await node.kubectl([
      'exec',
      `--namespace=${cluster.namespace}`,
      pod,
      '--container=app',
      '--',
      '/bin/sh',
      '-c',
      command,
    ]);
    if (code !== 0) throw new Error(`kubectl exec ended with code ${code}: ${stderr}`);
  };
  const follow = async (app: string) => {
    const seen: StoredPod[] = [];
    const problems: unknown[] = [];
    const stop = new AbortController();
    const stream = await cluster.watch(Pod, { namespace: cluster.namespace, labels: { app }, signal: stop.signal });
    const following = (async () => {
      for await (const event of stream) if (event.type !== 'BOOKMARK') seen.push(event.object);
    })().catch((error: unknown) => {
      if (!stop.signal.aborted) problems.push(error);
    });
    return async (): Promise<readonly StoredPod[]> => {
      stop.abort();
      await following;
      expect(problems).toEqual([]);
      return seen;
    };
  };

  test('2B-3, 2B-4, 2B-7: a Pod runs with its sidecar behind its own container, under the restricted standard, and is counted', async () => {
    await createSet('run');
    const [pod = ''] = await createPods('run', 1);
    const { spec, metadata } = await cluster.get(Pod, pod);
    expect(spec?.containers.map(({ name }) => name)).toEqual(['app', 'run-proxy']);
    expect(metadata.annotations).toHaveProperty(['apps.example.com/sidecarset-hash']);
    expect(await versionOf(pod)).toBe('1');
    await untilCounts('run', 1, 1, 1);
  });

  test('2B-24: Pods that a Deployment makes get sidecars too', async () => {
    await createSet('made');
    const labels = { app: 'made' };
    const spec = { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } };
    await cluster.create(Deployment({ metadata: { name: 'made' }, spec }));
    await cluster.until(Deployment, 'made', { status: { readyReplicas: 2 } });
    await untilCounts('made', 2, 2, 2);
  });

  test('2B-11: a new image is started in the same Pods, one at a time', async () => {
    const set = await createSet('roll');
    const names = await createPods('roll', 3);
    const before = await podsOf(names);
    const history = await follow('roll');
    await change('roll', { containers: [proxy('roll', IMAGES.proxy2)] });
    await untilUpdated('roll');
    expect(mostUnavailable(await history(), set)).toBe(1);
    expect(await Promise.all(names.map(versionOf))).toEqual(['2', '2', '2']);
    expect((await podsOf(names)).map(({ metadata }) => metadata.uid)).toEqual(before.map(({ metadata }) => metadata.uid));
    expect(await Promise.all(names.map(restartsOf))).toEqual(names.map(() => ({ app: 0, 'roll-proxy': 1 })));
  });

  test('2B-12, 2B-13: the update waits for a Pod that is not ready, and while it is paused; new Pods get the image all the same', async () => {
    await createSet('wait', { updateStrategy: { paused: true } });
    const names = await createPods('wait', 2);
    await setReady(names[0] ?? '', false);
    await untilCounts('wait', 2, 2, 1);
    await change('wait', { containers: [proxy('wait', IMAGES.proxy2)] });
    await untilCounts('wait', 2, 0, 1);
    await cluster.until(
      async () => (await cluster.create(podOf('shown', 'wait'), { dryRun: true })).spec?.containers[1]?.image === IMAGES.proxy2,
    );
    await cluster.create(podOf('wait-new', 'wait'));
    await untilReady('wait-new');
    expect(await versionOf('wait-new')).toBe('2');
    await untilCounts('wait', 3, 1, 2);
    await change('wait', { updateStrategy: { paused: false } });
    // The one that is not ready costs nothing more: it is updated first, and then the other waits for it.
    await cluster.until(SidecarSet, 'wait', { status: { updatedPods: 2 } });
    expect(await versionOf(names[1] ?? '')).toBe('1');
    await setReady(names[0] ?? '', true);
    await untilUpdated('wait');
    expect(await versionOf(names[1] ?? '')).toBe('2');
  });

  test('2B-14: a new environment leaves running Pods alone, and is there in those that are created anew', async () => {
    await createSet('env');
    const [pod = ''] = await createPods('env', 1);
    await change('env', { containers: [proxy('env', IMAGES.proxy1, [{ name: 'A', value: '1' }])] });
    await untilCounts('env', 1, 0, 1);
    expect(await restartsOf(pod)).toEqual({ app: 0, 'env-proxy': 0 });
    await cluster.delete(Pod, pod);
    await cluster.until(Pod, pod, 'absent');
    await cluster.create(podOf(pod, 'env'));
    await untilReady(pod);
    await untilCounts('env', 1, 1, 1);
    const { stdout } = await node.kubectl(['exec', `--namespace=${cluster.namespace}`, pod, '--container=env-proxy', '--', 'env']);
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(['A=1', 'IS_INJECTED=true']));
  });

  test('2B-16: of a SidecarSet that is deleted the sidecars go on', async () => {
    await createSet('kept');
    const [pod = ''] = await createPods('kept', 1);
    await cluster.delete(SidecarSet, 'kept');
    await cluster.until(SidecarSet, 'kept', 'absent');
    await cluster.until(async () => (await cluster.create(podOf('shown', 'kept'), { dryRun: true })).spec?.containers.length === 1);
    expect(await versionOf(pod)).toBe('1');
    expect(await restartsOf(pod)).toEqual({ app: 0, 'kept-proxy': 0 });
  });

  test('2B-17, 2B-19: without an operator Pods are refused but for its own: it starts again by itself', async () => {
    await createSet('cold');
    await cluster.patch(Deployment, DEPLOYMENT, mergePatch({ spec: { replicas: 0 } }));
    await cluster.until(async () => (await cluster.list(Pod, { namespace: SYSTEM_NAMESPACE })).length === 0);
    await expect(cluster.create(podOf('refused', 'cold'))).rejects.toThrow('failed calling webhook');
    await cluster.patch(Deployment, DEPLOYMENT, mergePatch({ spec: { replicas: 2 } }));
    await operatorIsReady();
    await createPods('cold', 1);
    await untilCounts('cold', 1, 1, 1);
  });

  test('nothing that the operator asked for was refused', () => {
    const asked = node.requests.since(installed).byUser(ACCOUNT);
    expect(asked.length).toBeGreaterThan(20);
    asked.expectNoneDenied();
  });
});
