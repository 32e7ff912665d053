import { conditionsOf, container, Stage } from '../stage.js';

describe('a Pod', () => {
  let stage: Stage;
  afterEach(() => stage.close());
  const pod = (spec: object = {}, metadata: object = {}): object => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', namespace: 'default', ...metadata },
    spec: { containers: [container('a:1')], ...spec },
  });
  const state = (): object | undefined => stage.pod('a').status?.containerStatuses?.[0]?.state;
  const phase = (): string | undefined => stage.pod('a').status?.phase;

  test('is put on a node, runs, and becomes ready, each in its time', async () => {
    stage = await Stage.start({ startAfter: '2s', readyAfter: '3s' });
    await stage.create(pod());
    expect(stage.pod('a')).toMatchObject({ spec: { nodeName: 'node-1' }, status: { phase: 'Pending' } });
    expect(state()).toEqual({ waiting: { reason: 'ContainerCreating' } });
    await stage.world.pass(2);
    expect(phase()).toBe('Running');
    expect(conditionsOf(stage.pod('a'))).toMatchObject({ PodScheduled: 'True', Initialized: 'True', Ready: 'False ContainersNotReady' });
    await stage.world.pass(3);
    const { status } = stage.pod('a');
    expect(conditionsOf({ status })).toEqual({
      PodReadyToStartContainers: 'True',
      PodScheduled: 'True',
      Initialized: 'True',
      ContainersReady: 'True',
      Ready: 'True',
    });
    expect(status).toMatchObject({
      podIP: expect.stringMatching(/^10\.244\./),
      hostIP: expect.stringMatching(/^10\.10\./),
      observedGeneration: 1,
      startTime: '2030-01-01T00:00:00Z',
    });
    expect(status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime).toBe('2030-01-01T00:00:05Z');
  });

  test.each(['Always', 'Never'])(
    'starts a container anew when its image changes, with the restart policy %s, and no other',
    async (restartPolicy) => {
      stage = await Stage.start({ readyAfter: '3s' });
      const other = { ...container('b:1'), name: 'other' };
      const initContainers = [{ name: 'proxy', image: 'p:1', restartPolicy: 'Always' }];
      await stage.create(pod({ containers: [container('a:1'), other], initContainers, restartPolicy }));
      await stage.world.pass(3);
      const before = stage.pod('a').status;
      const held = stage.world.server.pods.holdBack({ image: 'a:2' }, { before: 'running' });
      const useImage = async (of: 'containers' | 'initContainers', image: string): Promise<void> => {
        const [first, ...others] = stage.pod('a').spec[of] ?? [];
        await stage.patch('pods', 'a', { spec: { [of]: [{ ...first, image }, ...others] } });
      };
      await useImage('containers', 'a:2');
      const killed = { exitCode: 143, startedAt: '2030-01-01T00:00:00Z', finishedAt: '2030-01-01T00:00:03Z' };
      expect(stage.pod('a').status?.containerStatuses?.[0]).toMatchObject({
        name: 'main',
        image: 'a:1',
        ready: false,
        restartCount: 0,
        state: { waiting: { reason: 'ContainerCreating' } },
        lastState: { terminated: killed },
      });
      held.release();
      await stage.world.settled();
      expect(stage.pod('a').status?.containerStatuses).toMatchObject([
        { image: 'a:2', imageID: 'simulated://a:2', ready: false, restartCount: 1, lastState: { terminated: killed } },
        { image: 'b:1', ready: true, restartCount: 0 },
      ]);
      expect(conditionsOf(stage.pod('a'))).toMatchObject({ Ready: 'False ContainersNotReady' });
      expect(stage.pod('a').status?.containerStatuses?.[0]?.containerID).not.toBe(before?.containerStatuses?.[0]?.containerID);
      await stage.world.pass(3);
      expect(conditionsOf(stage.pod('a'))).toMatchObject({ Ready: 'True' });
      await useImage('initContainers', 'p:2');
      expect(stage.pod('a').status?.initContainerStatuses).toMatchObject([{ image: 'p:2', ready: true, restartCount: 1 }]);
    },
  );

  test('a status that somebody else has written is not another image', async () => {
    stage = await Stage.start();
    await stage.create(pod());
    await stage.world.server.pods.crash('a');
    await stage.world.settled();
    const { status } = stage.pod('a');
    const spelled = status?.containerStatuses?.map((one) => ({ ...one, image: 'docker.io/library/a:1', imageID: 'sha256:1' }));
    await stage.world.patch('pods', 'default/a', { status: { containerStatuses: spelled } }, 'status');
    await stage.world.settled();
    expect(stage.pod('a').status?.containerStatuses).toMatchObject([{ image: 'docker.io/library/a:1', restartCount: 1 }]);
  });

  test('has its init containers done and its sidecars running before it runs', async () => {
    stage = await Stage.start();
    const held = stage.world.server.pods.holdBack('a', { before: 'running' });
    const initContainers = [
      { name: 'proxy', image: 'p', restartPolicy: 'Always' },
      { name: 'setup', image: 's' },
    ];
    await stage.create(pod({ initContainers }));
    expect(phase()).toBe('Pending');
    expect(conditionsOf(stage.pod('a'))).toMatchObject({ Initialized: 'False ContainersNotInitialized' });
    expect(state()).toEqual({ waiting: { reason: 'PodInitializing' } });
    await stage.world.server.pods.crash('a', { container: 'setup' });
    await stage.world.settled();
    held.release();
    await stage.world.settled();
    const { status } = stage.pod('a');
    expect(status?.initContainerStatuses).toMatchObject([
      { name: 'proxy', ready: true, state: { running: {} } },
      { name: 'setup', restartCount: 1, state: { terminated: { exitCode: 0, reason: 'Completed' } } },
    ]);
    expect(conditionsOf({ status })).toMatchObject({ Ready: 'True' });
  });

  test('has a container that ends started again, the second time after a pause', async () => {
    stage = await Stage.start();
    await stage.create(pod());
    await stage.world.server.pods.crash('a', { exitCode: 137, reason: 'OOMKilled' });
    await stage.world.settled();
    expect(stage.pod('a').status?.containerStatuses?.[0]).toMatchObject({
      ready: true,
      restartCount: 1,
      lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
    });
    await stage.world.server.pods.crash('a');
    await stage.world.settled();
    expect(state()).toMatchObject({
      waiting: {
        reason: 'CrashLoopBackOff',
        message: expect.stringMatching(/^back-off 10s restarting failed container=main pod=a_default\(/),
      },
    });
    expect(phase()).toBe('Running');
    await stage.world.pass(10);
    expect(stage.pod('a').status?.containerStatuses?.[0]).toMatchObject({ ready: true, restartCount: 2 });
  });

  test('that is not restarted fails or succeeds with its containers', async () => {
    stage = await Stage.start();
    await stage.create(pod({ restartPolicy: 'Never' }));
    await stage.world.server.pods.crash('a', { exitCode: 2 });
    await stage.world.settled();
    expect(phase()).toBe('Failed');
    expect(conditionsOf(stage.pod('a'))).toMatchObject({ Ready: 'False PodFailed' });
    await expect(stage.world.server.pods.succeed('a')).rejects.toThrow('Pod default/a has ended already: it is Failed');
  });

  test('that is always restarted cannot succeed', async () => {
    stage = await Stage.start();
    await stage.create(pod());
    await expect(stage.world.server.pods.succeed('a')).rejects.toThrow('its restartPolicy is Always');
    await expect(stage.world.server.pods.fail('b')).rejects.toThrow('there is no Pod default/b');
  });

  test('that ignores its end is gone when its grace period is over', async () => {
    stage = await Stage.start();
    stage.world.server.pods.holdBack('a', { before: 'gone' });
    await stage.create(pod({ terminationGracePeriodSeconds: 5 }));
    await stage.world.delete('pods', 'default/a');
    await stage.world.pass(4);
    expect(phase()).toBe('Running');
    await stage.world.pass(1);
    expect(stage.pods).toEqual([]);
  });

  test('is held by its finalizers, but has ended', async () => {
    stage = await Stage.start({ stopAfter: '2s' });
    await stage.create(pod({}, { finalizers: ['example.com/wait'] }));
    await stage.world.delete('pods', 'default/a');
    await stage.world.settled();
    expect(phase()).toBe('Running');
    await stage.world.pass(2);
    expect(phase()).toBe('Failed');
    await stage.world.patch('pods', 'default/a', { metadata: { finalizers: null } });
    expect(stage.pods).toEqual([]);
  });

  test('waits for the ConfigMaps and Secrets that it needs', async () => {
    stage = await Stage.start();
    const env = [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }];
    await stage.create(pod({ containers: [container('a:1', { env })] }));
    expect(state()).toEqual({ waiting: { reason: 'CreateContainerConfigError', message: 'secret "s" not found' } });
    await stage.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'default' }, stringData: { k: 'v' } });
    expect(conditionsOf(stage.pod('a'))).toMatchObject({ Ready: 'True' });
  });

  test('is not ready before the conditions that its gates name are true', async () => {
    stage = await Stage.start();
    await stage.create(pod({ readinessGates: [{ conditionType: 'example.com/up' }] }));
    expect(conditionsOf(stage.pod('a'))).toMatchObject({ ContainersReady: 'True', Ready: 'False ReadinessGatesNotReady' });
    const conditions = [...(stage.pod('a').status?.conditions ?? []), { type: 'example.com/up', status: 'True' }];
    await stage.world.patch('pods', 'default/a', { status: { conditions } }, 'status');
    await stage.world.settled();
    expect(conditionsOf(stage.pod('a'))).toMatchObject({ Ready: 'True' });
  });
});
