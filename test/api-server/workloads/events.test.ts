import { EventRecorder, type EventText } from '../../../src/api-server/workloads/events/index.js';
import type { CoreV1Event, Pod } from '../../../src/kubernetes/kinds/index.js';
import { configMap } from '../controllers/world.js';
import { container, Stage } from './stage.js';

describe('Events about an object', () => {
  let stage: Stage;
  let recorder: EventRecorder;
  let problems: string[];
  let ends: number;
  beforeEach(async () => {
    problems = [];
    ends = 0;
    stage = await Stage.start();
    const surroundings = {
      ...stage.world.server.core,
      report: ({ error }: { readonly error: Error }) => void problems.push(error.message),
    };
    const writer = { user: { username: 'system:node:node-1', groups: ['system:nodes', 'system:authenticated'] }, fieldManager: 'kubelet' };
    recorder = new EventRecorder(surroundings, { component: 'kubelet', host: 'node-1', writer });
    await stage.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', namespace: 'default' },
      spec: { containers: [container('a:1')] },
    });
  });
  afterEach(async () => {
    await stage.close();
    expect(problems).toEqual([]);
  });
  const text = (message: string): EventText => ({ type: 'Warning', reason: 'Unhealthy', message });
  const pod = (): Pod => stage.pod('a');
  const events = (): readonly CoreV1Event[] => stage.world.list<CoreV1Event>('events');
  const record = async (...texts: readonly EventText[]): Promise<void> => {
    for (const one of texts) recorder.record(pod(), one);
    await settled();
  };
  /** Events of one recorder are written in their order: the last one, about something else, comes after all others. */
  const settled = async (): Promise<void> => {
    ends += 1;
    recorder.record({ metadata: { name: 'end', namespace: 'kube-system', uid: `end-${ends}` } }, text('end'));
    for (let turn = 0; stage.world.names('events', 'kube-system').length < ends; turn += 1) {
      if (turn > 20_000) throw new Error('the recorder does not come to its end');
      await new Promise((resolve) => setImmediate(resolve));
    }
    await stage.world.settled();
  };

  test('name it, its part, who has seen it and when', async () => {
    await record({ ...text('probe failed'), fieldPath: 'spec.containers{main}' });
    expect(events()).toMatchObject([
      {
        metadata: { name: expect.stringMatching(/^a\.[0-9a-f]+$/), namespace: 'default' },
        involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: pod().metadata.uid, fieldPath: 'spec.containers{main}' },
        type: 'Warning',
        reason: 'Unhealthy',
        message: 'probe failed',
        count: 1,
        firstTimestamp: '2030-01-01T00:00:00Z',
        lastTimestamp: '2030-01-01T00:00:00Z',
        source: { component: 'kubelet', host: 'node-1' },
        reportingComponent: 'kubelet',
        reportingInstance: 'node-1',
      },
    ]);
  });

  test('count up where they say the same again, and are others where they say something else', async () => {
    await record(text('one'), text('two'));
    await stage.world.pass(5);
    await record(text('one'));
    expect(events().map(({ message, count, firstTimestamp, lastTimestamp }) => [message, count, firstTimestamp, lastTimestamp])).toEqual([
      ['one', 2, '2030-01-01T00:00:00Z', '2030-01-01T00:00:05Z'],
      ['two', 1, '2030-01-01T00:00:00Z', '2030-01-01T00:00:00Z'],
    ]);
  });

  test('are made anew when somebody has deleted the one that counted', async () => {
    await record(text('one'));
    await stage.world.delete('events', `default/${events()[0]?.metadata.name}`);
    await record(text('one'));
    expect(events().map(({ count }) => count)).toEqual([1]);
  });

  test('are 25 at once and then one in five minutes, for each object', async () => {
    await record(...Array.from({ length: 30 }, (_, index) => text(`number ${index}`)));
    expect(events()).toHaveLength(25);
    stage.world.clock.advance('299s');
    await record(text('too early'));
    expect(events()).toHaveLength(25);
    stage.world.clock.advance('1s');
    await record(text('in time'), text('too many'));
    expect(events().map(({ message }) => message)).toContain('in time');
    expect(events()).toHaveLength(26);
    recorder.record({ metadata: { name: 'b', namespace: 'default', uid: 'another' } }, text('of another object'));
    await settled();
    expect(events()).toHaveLength(27);
  });

  test('of an object that is in no namespace stand in the default one', async () => {
    const { metadata } = stage.world.must<Pod>('nodes', '/node-1');
    recorder.record({ apiVersion: 'v1', kind: 'Node', metadata }, text('pressure'));
    await settled();
    expect(events().map(({ involvedObject }) => involvedObject.name)).toEqual(['node-1']);
  });

  test('are dropped where their namespace is ending or gone, without a problem', async () => {
    const subject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'gone', uid: 'u' } };
    recorder.record(subject, text('too late'));
    await settled();
    await stage.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ending' } });
    await stage.create(configMap('kept', [], { namespace: 'ending', finalizers: ['example.com/hold'] }));
    await stage.world.delete('namespaces', '/ending');
    await stage.world.settled();
    recorder.record({ ...subject, metadata: { ...subject.metadata, namespace: 'ending' } }, text('too late'));
    await settled();
    expect(stage.world.names('events', 'ending')).toEqual([]);
    await stage.world.patch('configmaps', 'ending/kept', { metadata: { finalizers: null } });
    await stage.world.settled();
  });
});
