import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { mergePatch, TestCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, k, RetryLater, TerminalError } from 'keelson';
import { z } from 'zod';
import { goClient } from '../../scripts/cluster/go-client.js';
import { healthScript } from '../../src/keelson/packaging/argocd/index.js';
import { describeCluster } from './harness/index.js';

const Widget = defineCustomResource({
  group: 'health.example.com',
  kind: 'Widget',
  versions: {
    v1: {
      spec: z.object({ mood: z.enum(['ready', 'waits', 'fails', 'busy']) }),
      status: z.object({ observedGeneration: k.int64().optional(), conditions: k.conditions() }),
    },
  },
});

let holds = true;
const controller = defineController({
  name: 'widget',
  for: Widget,
  reconcile({ object: { spec }, done }) {
    if (spec.mood === 'waits') throw new RetryLater('1h', 'the disk is not there yet');
    if (spec.mood === 'fails') throw new TerminalError('no such disk');
    if (spec.mood === 'busy') return done({ conditions: [{ type: 'Ready', status: false, reason: 'Starting', message: '1 of 3' }] });
    return done();
  },
  finalize: ({ done }) => (holds ? done({ requeueAfter: '1h' }) : done()),
});

const judge = goClient(join(__dirname, 'gitops'));
const describeGo = judge.found
  ? describeCluster
  : (name: string) => describe.skip(`${name} [skipped: ${judge.reason}]`, () => test('Go', () => undefined));

interface Verdict {
  readonly flux: string;
  readonly argoCD: string;
  readonly argoCDText: string;
}

function verdictOf(object: object): Verdict {
  if (!judge.found) throw new Error(judge.reason);
  const script = healthScript({ group: Widget.group, kind: Widget.kind });
  const { status, stdout, stderr } = spawnSync(judge.path, { input: JSON.stringify([{ object, script }]), encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as readonly [Verdict])[0];
}

describeGo('health of custom resources, as Flux and Argo CD judge it', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await TestCluster.start({ operator: defineOperator({ name: 'widget-operator', controllers: [controller] }) });
  });
  afterAll(() => cluster.close());

  async function seen(mood: 'ready' | 'waits' | 'fails' | 'busy', condition: string): Promise<Verdict> {
    await cluster.create(Widget({ metadata: { name: mood }, spec: { mood } }));
    await cluster.until(Widget, mood, ({ status }) => expect(status?.conditions?.map(({ type }) => type)).toContain(condition));
    return verdictOf(await cluster.get(Widget, mood));
  }

  test('nobody has looked at it yet: Argo CD waits. kstatus takes what has no conditions for finished', async () => {
    await cluster.create(Widget({ metadata: { name: 'new' }, spec: { mood: 'ready' } }));
    expect(verdictOf(await cluster.get(Widget, 'new'))).toMatchObject({ flux: 'Current', argoCD: 'Progressing' });
    await cluster.startOperator();
    await cluster.until(Widget, 'new', { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
    expect(verdictOf(await cluster.get(Widget, 'new'))).toMatchObject({ flux: 'Current', argoCD: 'Healthy' });
  });

  test.each([
    [
      'waits',
      'Reconciling',
      { flux: 'InProgress', argoCD: 'Progressing', argoCDText: expect.stringContaining('the disk is not there yet') },
    ],
    ['fails', 'Stalled', { flux: 'Failed', argoCD: 'Degraded', argoCDText: 'no such disk' }],
    ['busy', 'Ready', { flux: 'InProgress', argoCD: 'Progressing', argoCDText: '1 of 3' }],
    ['ready', 'Ready', { flux: 'Current', argoCD: 'Healthy', argoCDText: 'Reconciled' }],
  ] as const)('an object that %s', async (mood, condition, expected) => {
    expect(await seen(mood, condition)).toMatchObject(expected);
  });

  test('a new spec that is not observed yet, while the operator is down', async () => {
    const { metadata } = await cluster.get(Widget, 'ready');
    const stale = await cluster.get(Widget, 'ready');
    const later = { ...stale, metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 } };
    expect(verdictOf(later)).toMatchObject({ flux: 'InProgress', argoCD: 'Progressing' });
  });

  test('an object that is being deleted', async () => {
    await cluster.delete(Widget, 'ready');
    expect(verdictOf(await cluster.get(Widget, 'ready'))).toMatchObject({
      flux: 'Terminating',
      argoCD: 'Progressing',
      argoCDText: 'being deleted',
    });
    holds = false;
    await cluster.patch(Widget, 'ready', mergePatch({ metadata: { annotations: { again: 'yes' } } }));
    await cluster.until(Widget, 'ready', 'absent');
  });
});
