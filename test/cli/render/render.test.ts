import { operator as cronjobOperator } from '../../../examples/cronjob/cronjob-operator.js';
import { operator as memcachedOperator } from '../../../examples/memcached/memcached-operator.js';
import type { RehearsalInput } from '../../../src/cli/rehearsal/index.js';
import { render } from '../../../src/cli/render/index.js';
import { DEADLINE_MS } from '../../deadline.cjs';
import { kiln, kilnOperator } from '../rehearsal/kiln-operator.js';

const input = (change: Partial<RehearsalInput> = {}): RehearsalInput => ({
  operator: kilnOperator(),
  objects: [kiln('a')],
  definitions: [],
  playsPods: false,
  timeoutMs: DEADLINE_MS,
  ...change,
});

const names = (objects: readonly { readonly kind: string; readonly metadata: { readonly name?: string | undefined } }[]) =>
  objects.map(({ kind, metadata: { name } }) => `${kind} ${name}`);

test('the children are those of the reconciler, without what the server adds', async () => {
  const { children, problems, refused } = await render(input());
  expect({ problems, refused }).toEqual({ problems: [], refused: [] });
  expect(children).toEqual([
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a-settings', namespace: 'shop', ownerReferences: [OWNER] },
      data: { heat: 'high' },
    },
    expect.objectContaining({ kind: 'Deployment', spec: expect.objectContaining({ replicas: 1 }) }),
  ]);
  expect(children[1]).not.toHaveProperty('status');
});

const OWNER = { apiVersion: 'lab.example.org/v1', kind: 'Kiln', name: 'a', controller: true, blockOwnerDeletion: true };

test('with Pods at play the status goes on, and what a control plane makes is not shown', async () => {
  const { children } = await render(input({ playsPods: true }));
  expect(names(children)).toEqual(['ConfigMap a-settings', 'Deployment a']);
});

test('the data of a Secret is not printed', async () => {
  const { children } = await render(input({ objects: [kiln('a', { mode: 'secret' })] }));
  expect(JSON.stringify(children)).not.toContain(Buffer.from('hunter2').toString('base64'));
  expect(children).toContainEqual(expect.objectContaining({ kind: 'Secret', data: { key: '[hidden]' } }));
});

test('an object that fails, one that hangs and one that is refused hide no other', async () => {
  const objects = [kiln('a'), kiln('cold', { mode: 'fails' }), kiln('stuck', { mode: 'hangs' }), kiln('bad', { replicas: -1 })];
  const { children, problems, refused } = await render(input({ objects, timeoutMs: 2_000 }));
  expect(names(children)).toEqual(['ConfigMap a-settings', 'Deployment a']);
  expect([...problems].sort((a, b) => (a.subject < b.subject ? -1 : 1))).toEqual([
    { reason: 'failed', subject: 'Kiln shop/cold', message: 'the kiln is cold' },
    { reason: 'timeout', subject: 'Kiln shop/stuck', message: 'the run did not end within 2 s' },
  ]);
  expect(refused).toEqual([
    expect.objectContaining({ place: 'bad.yaml', message: expect.stringContaining('spec.replicas: Invalid value: -1') }),
  ]);
});

test('what is outside is not called: the run that needs it is told apart from one that fails', async () => {
  const { children, problems } = await render(input({ objects: [kiln('a'), kiln('b', { mode: 'asks' })] }));
  expect(names(children)).toEqual(['ConfigMap a-settings', 'Deployment a']);
  expect(problems).toEqual([{ reason: 'withheld', subject: 'Kiln shop/b', message: 'shop.order' }]);
});

describe('the examples', () => {
  const found = (object: object) => ({ place: 'sample.yaml', object: object as never, strictProblems: [] });

  test('a webhook of the operator is asked, as in a cluster', async () => {
    const sample = (spec: object) => found({ apiVersion: 'cache.example.com/v1alpha1', kind: 'Memcached', metadata: { name: 'a' }, spec });
    const { children } = await render(input({ operator: memcachedOperator, objects: [sample({ size: 3, image: 'memcached:1.6' })] }));
    expect(names(children)).toEqual(['Deployment a']);
    const { refused } = await render(input({ operator: memcachedOperator, objects: [sample({ size: 2 })] }));
    expect(refused[0]?.message).toMatch(/must be odd/);
  });

  test('an operator with conversions renders a sample at each of its versions', async () => {
    const template = { spec: { template: { spec: { containers: [{ name: 'a', image: 'a' }], restartPolicy: 'OnFailure' } } } };
    const object = { apiVersion: 'batch.example.com/v1', kind: 'CronJob', metadata: { name: 'a' } };
    const { problems, refused } = await render(
      input({ operator: cronjobOperator, objects: [found({ ...object, spec: { schedule: '*/1 * * * *', jobTemplate: template } })] }),
    );
    expect({ problems, refused }).toEqual({ problems: [], refused: [] });
  });
});
