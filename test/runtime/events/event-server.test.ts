import { EventsV1Event as Event } from '../../../src/kubernetes/kinds/index.js';
import { createClient } from '../../../src/runtime/client/index.js';
import { systemClock } from '../../../src/runtime/clock/index.js';
import { EventRecorder } from '../../../src/runtime/events/index.js';
import { TestCluster } from '../../../src/testing/index.js';

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

test('an API server takes every event: long ones, odd names, objects of the cluster, series', async () => {
  await using cluster = await TestCluster.start();
  const client = createClient({ connection: cluster.connection });
  const problems: string[] = [];
  const log = { ...SILENT, warn: (message: string, fields: object = {}) => void problems.push(`${message} ${JSON.stringify(fields)}`) };
  const recorder = new EventRecorder({ client, clock: systemClock, log, instance: 'x'.repeat(300) });
  const eventsOf = recorder.forController('website');
  const names = ['a', `${'long-'.repeat(50)}end`, 'system:reader', `${'a.'.repeat(126)}b`];
  for (const name of names) {
    const events = eventsOf({ apiVersion: 'example.com/v1', kind: 'Website', metadata: { name, namespace: 'default', uid: name } });
    events.warning('R'.repeat(200), 'ä'.repeat(2_000), { action: 'é'.repeat(100) });
    events.warning('R'.repeat(200), 'ä'.repeat(2_000), { action: 'é'.repeat(100) });
  }
  eventsOf({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }).normal('Seen', '');
  await recorder.close({ deadlineMs: 20_000 });
  const { items } = await client.list(Event, { namespace: 'default' });
  expect(problems).toEqual([]);
  expect(items).toHaveLength(names.length + 1);
  expect(items.filter(({ series }) => series?.count === 2)).toHaveLength(names.length);
  client.close();
});
