import { mergePatch } from '@keelson/testing';
import { ConfigMap, Node, Pod, Secret } from 'keelson/kinds';
import { mutableParts } from '../harness/mutable-parts.js';
import { RunningController } from '../harness/running-controller.js';
import { Widget, type WidgetContext, widgetOperator } from './widget.js';

let running: RunningController | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

test('whatever a run is given is frozen: its object, what handles read, and what their verbs answer', async () => {
  const given = new Map<string, unknown>();
  const operator = widgetOperator({
    async reconcile({ object, configs, secrets, pods, nodes, done }: WidgetContext) {
      const labels = { app: object.metadata.name };
      given.set('object', object);
      given.set('configs.get', configs.get('a'));
      given.set('configs.list', configs.list());
      given.set('secrets.get', secrets.get('s'));
      given.set('nodes.get', await nodes.get('n'));
      given.set('nodes.list', await nodes.list());
      given.set(
        'pods.create',
        await pods.create(Pod({ metadata: { name: 'p', labels }, spec: { containers: [{ name: 'c', image: 'i' }] } })),
      );
      given.set('pods.get', pods.get('p'));
      given.set('pods.patch', await pods.patch('p', { metadata: { labels: { more: 'a' } } }));
      given.set('pods.apply', await pods.apply(Pod({ metadata: { name: 'p', labels } } as never)));
      given.set('pods.list', pods.list());
      await pods.delete('p', { gracePeriodSeconds: 0 });
      return done({ owned: { configs: [ConfigMap({ metadata: { name: 'a' }, data: { key: 'value' } })] } });
    },
  });
  running = await RunningController.start(operator);
  const { cluster } = running;
  await cluster.create(Node({ metadata: { name: 'n', labels: { zone: 'a' } } }));
  await cluster.create(Secret({ metadata: { name: 's' }, stringData: { a: 'b' } }));
  await cluster.create(Widget({ metadata: { name: 'w' }, spec: {} }));
  await cluster.until(ConfigMap, 'a', 'present');
  await running.settled();
  await cluster.patch(Widget, 'w', mergePatch({ spec: { size: 2 } }));
  await running.settled();
  expect([...given.keys()]).toHaveLength(11);
  for (const [what, value] of given) {
    const objects: unknown[] = Array.isArray(value) ? value : [value];
    expect([what, objects.length > 0, objects.every((object) => object !== undefined)]).toEqual([what, true, true]);
    expect([what, objects.flatMap(mutableParts)]).toEqual([what, []]);
  }
});
