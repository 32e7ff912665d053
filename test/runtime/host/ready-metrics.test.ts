import { mergePatch, TestCluster } from '@keelson/testing';
import { defineController, defineOperator } from 'keelson';
import { MemoryLog } from '../harness/running-controller.js';
import { Website } from '../reconcile/website.js';

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

test('objects that are not ready are counted, and the time until they are is measured', async () => {
  const controller = defineController({
    name: 'website',
    for: Website,
    reconcile: ({ object, done }) => done({ conditions: [{ type: 'Ready', status: object.spec.title === 'ready', reason: 'Title' }] }),
  });
  const cluster = await TestCluster.start({ operator: defineOperator({ name: 'website-operator', controllers: [controller] }) });
  close = () => cluster.close();
  await cluster.create(Website({ metadata: { name: 'before' }, spec: {} }));
  const running = await cluster.startOperator({ log: new MemoryLog(), settings: { metrics: { port: 0, secure: false } } });
  const shown = async (name: string): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${running.ports.metrics}/metrics`)).text();
    return Number(new RegExp(`^${name}\\{controller="website"\\} (.*)$`, 'm').exec(text)?.[1]);
  };
  await cluster.settled();
  await cluster.create(Website({ metadata: { name: 'after' }, spec: {} }));
  await cluster.settled();
  expect([await shown('keelson_objects_not_ready'), await shown('keelson_object_ready_seconds_count')]).toEqual([2, 0]);
  for (const name of ['before', 'after']) await cluster.patch(Website, name, mergePatch({ spec: { title: 'ready' } }));
  await cluster.settled();
  expect([await shown('keelson_objects_not_ready'), await shown('keelson_not_ready_longest_seconds')]).toEqual([0, 0]);
  // The first may have been ready before this process started.
  expect(await shown('keelson_object_ready_seconds_count')).toBe(1);
});
