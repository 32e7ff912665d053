import { mergePatch, reconcileOnce, TestCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, read } from 'keelson';
import { Secret } from 'keelson/kinds';
import { z } from 'zod';

const Archive = defineCustomResource({
  group: 'archives.example.com',
  kind: 'Archive',
  versions: { v1: { spec: z.object({ bucket: z.string() }), status: z.object({ said: z.string().optional() }) } },
});

test('background work reads what the controller declares, gets its input, and begins anew with another one', async () => {
  const controller = defineController({
    name: 'archives',
    for: Archive,
    reads: { secrets: read(Secret, { verbs: ['get'] }) },
    background: {
      async copy({ object, secrets, key }, { bucket }: { readonly bucket: string }) {
        const password = (await secrets.get(`${object.metadata.name}-key`))?.data?.['password'] ?? 'none';
        return `${key} to ${bucket} with ${password}`;
      },
    },
    reconcile({ object, copy, done }) {
      const state = copy.start('today', { bucket: object.spec.bucket });
      return done(state.phase === 'done' ? { status: { said: state.result } } : {});
    },
  });
  const cluster = await TestCluster.start({ operator: defineOperator({ name: 'archives', controllers: [controller] }) });
  try {
    await cluster.startOperator();
    await cluster.create(Secret({ metadata: { name: 'a-key' }, data: { password: 'eA==' } }));
    await cluster.create(Archive({ metadata: { name: 'a' }, spec: { bucket: 'one' } }));
    await cluster.until(Archive, 'a', ({ status }) => expect(status?.said).toBe('today to one with eA=='));
    await cluster.patch(Archive, 'a', mergePatch({ spec: { bucket: 'two' } }));
    await cluster.until(Archive, 'a', ({ status }) => expect(status?.said).toBe('today to two with eA=='));
  } finally {
    await cluster.close();
  }
});

test('a read that background work forgets to await, and that fails, fails the work by its name', async () => {
  const controller = defineController({
    name: 'archives',
    for: Archive,
    reads: { secrets: read(Secret, { namespaces: ['vault'] }) },
    background: {
      copy({ secrets }) {
        void secrets.get({ namespace: 'elsewhere', name: 'a' });
      },
    },
    reconcile({ copy, done }) {
      const state = copy.start('today');
      return done(state.phase === 'failed' ? { status: { said: String(state.error) } } : {});
    },
  });
  const cluster = await TestCluster.start({ operator: defineOperator({ name: 'archives', controllers: [controller] }) });
  try {
    await cluster.startOperator();
    await cluster.create(Archive({ metadata: { name: 'a' }, spec: { bucket: 'one' } }));
    await cluster.until(Archive, 'a', ({ status }) => expect(status?.said).toContain('write await secrets.get(...)'));
  } finally {
    await cluster.close();
  }
});

test('reconcileOnce returns the input of work that was started', async () => {
  const controller = defineController({
    name: 'archives',
    for: Archive,
    background: { copy: (_, bucket: string) => bucket },
    reconcile({ object, copy, done }) {
      copy.start('today', object.spec.bucket);
      return done();
    },
  });
  const { background } = await reconcileOnce(controller, { object: { metadata: { name: 'a' }, spec: { bucket: 'one' } } });
  expect(background).toEqual([{ handle: 'copy', verb: 'start', key: 'today', input: 'one' }]);
});

test('work that runs until it is cancelled lets the cluster settle', async () => {
  let ends = 0;
  const controller = defineController({
    name: 'archives',
    for: Archive,
    background: {
      follow: ({ signal }) =>
        new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => {
            ends += 1;
            resolve();
          }),
        ),
    },
    reconcile({ follow, done }) {
      follow.start('all');
      return done({ status: { said: follow.state('all').phase } });
    },
  });
  const cluster = await TestCluster.start({ operator: defineOperator({ name: 'archives', controllers: [controller] }) });
  try {
    const running = await cluster.startOperator();
    await cluster.create(Archive({ metadata: { name: 'a' }, spec: { bucket: 'one' } }));
    await cluster.settled();
    expect((await cluster.get(Archive, 'a')).status?.said).toBe('running');
    expect([running.background.running, running.isSettled, ends]).toEqual([1, true, 0]);
    await cluster.delete(Archive, 'default/a');
    await cluster.settled();
    expect([running.background.running, ends]).toEqual([0, 1]);
  } finally {
    await cluster.close();
  }
});
