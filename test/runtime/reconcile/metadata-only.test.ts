import { mergePatch } from '@keelson/testing';
import { defineController, defineOperator, watch } from 'keelson';
import { Secret } from 'keelson/kinds';
import { RunningController } from '../harness/running-controller.js';
import { Widget } from './widget.js';

test('metadataOnly: changes of metadata reconcile, and nothing but metadata is fetched or kept', async () => {
  const seen: object[] = [];
  const runs: string[] = [];
  const controller = defineController({
    name: 'widget',
    for: Widget,
    watches: {
      secrets: watch(Secret, {
        metadataOnly: true,
        indexes: { team: ({ metadata }) => [metadata.labels?.['team'] ?? ''] },
        enqueue: ({ metadata }) => [{ name: metadata.labels?.['widget'] ?? '' }],
      }),
    },
    writesStatus: false,
    reconcile({ object, secrets, trigger, done }) {
      runs.push(`${object.metadata.name} ${trigger.cause}`);
      seen.push(...secrets.list({ index: { team: 'red' } }), ...[secrets.get('key')].filter((secret) => secret !== undefined));
      return done();
    },
  });
  const running = await RunningController.start(defineOperator({ name: 'widget-operator', controllers: [controller] }));
  try {
    const { cluster } = running;
    await cluster.create(Widget({ metadata: { name: 'a' }, spec: {} }));
    await cluster.create(Secret({ metadata: { name: 'key', labels: { widget: 'a', team: 'red' } }, data: { password: 'MQ==' } }));
    await cluster.until(() => runs.includes('a watched'));
    await running.settled();
    const before = runs.length;
    await cluster.patch(Secret, 'key', mergePatch({ metadata: { annotations: { turned: 'yes' } } }));
    await cluster.until(() => runs.length > before);
    await running.settled();
    const newest = seen.at(-1) as { readonly metadata: { readonly annotations?: object } };
    expect(newest).toMatchObject({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key', annotations: { turned: 'yes' } } });
    for (const secret of seen) expect(Object.keys(secret).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
    // Its end is news as well.
    const known = runs.length;
    await cluster.delete(Secret, 'key');
    await cluster.until(() => runs.length > known);
    expect(cluster.requests.all.filter(({ resource, verb }) => resource === 'secrets' && verb === 'get')).toEqual([]);
  } finally {
    await running.close();
  }
});
