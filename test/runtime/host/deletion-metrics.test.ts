import { mergePatch, TestCluster } from '@keelson/testing';
import { defineController, defineOperator } from 'keelson';
import { eventually } from '../../eventually.js';
import { MemoryLog } from '../harness/running-controller.js';
import { Website } from '../reconcile/website.js';

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

test('a deletion that waits for finalize is measured until it is over, and one that waits for others is not', async () => {
  let isBroken = true;
  const controller = defineController({
    name: 'website',
    for: Website,
    reconcile: ({ done }) => done(),
    finalize() {
      if (isBroken) throw new Error('the store is away');
    },
  });
  const cluster = await TestCluster.start({ operator: defineOperator({ name: 'website-operator', controllers: [controller] }) });
  close = () => cluster.close();
  const running = await cluster.startOperator({ log: new MemoryLog(), settings: { metrics: { port: 0, secure: false } } });
  const longest = async (): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${running.ports.metrics}/metrics`)).text();
    return Number(/^keelson_deletion_longest_seconds\{controller="website"\} (.*)$/m.exec(text)?.[1]);
  };
  const metadata = { name: 'a', finalizers: ['other.example.com/x'] };
  await cluster.create(Website({ metadata, spec: {} }));
  await cluster.until(Website, 'a', (site) => (site.metadata.finalizers ?? []).length === 2);
  expect(await longest()).toBe(0);
  await cluster.client.delete(Website, { name: 'a', namespace: cluster.namespace });
  await eventually(async () => (await longest()) > 0);
  isBroken = false;
  await cluster.until(Website, 'a', (site) => (site.metadata.finalizers ?? []).length === 1);
  await eventually(async () => (await longest()) === 0);
  await cluster.patch(Website, 'a', mergePatch({ metadata: { finalizers: [] } }));
  await cluster.until(Website, 'a', 'absent');
});
