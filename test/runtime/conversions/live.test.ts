import { TestCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, k } from 'keelson';
import { z } from 'zod';
import { DEADLINE_MS } from '../../deadline.cjs';
import { MemoryLog } from '../harness/running-controller.js';

const Site = defineCustomResource({
  group: 'sites.example.com',
  kind: 'Site',
  versions: {
    v2: { storage: true, spec: z.object({ host: z.string() }), status: z.object({ conditions: k.conditions() }) },
    v1: { spec: z.object({ name: z.string() }), status: z.object({ conditions: k.conditions() }) },
  },
  convert: {
    v1: {
      toStorage: ({ spec: { name }, status }) => ({ spec: { host: name }, status }),
      fromStorage: ({ spec: { host }, status }) => {
        if (host === 'bad') throw new RangeError('cannot be said in v1');
        return { spec: { name: host }, status };
      },
    },
  },
});
const Note = defineCustomResource({
  group: 'notes.example.com',
  kind: 'Note',
  versions: { v1: { spec: z.object({}), status: z.object({ conditions: k.conditions() }) } },
});
const operator = defineOperator({
  name: 'site-operator',
  controllers: [
    defineController({ name: 'site', for: Site, reconcile: ({ done }) => done() }),
    defineController({ name: 'note', for: Note, reconcile: ({ done }) => done() }),
  ],
});
const ready = { status: { conditions: [{ type: 'Ready', status: 'True' }] } } as const;

test('W7 an object that cannot be converted stops lists of that version alone; they name it, and it is logged once', async () => {
  const log = new MemoryLog();
  await using cluster = await TestCluster.start({ operator });
  await cluster.startOperator({ log });
  for (const host of ['bad', 'good', 'fine']) await cluster.create(Site({ metadata: { name: host }, spec: { host } }));
  for (const name of ['bad', 'good', 'fine']) await cluster.until(Site, name, ready);
  const { v1 } = Site.versions;
  for (let times = 0; times < 5; times += 1)
    await expect(cluster.list(v1)).rejects.toThrow('conversion of Site default/bad from v2 to v1 failed: RangeError: cannot be said in v1');
  await expect(cluster.get(v1, 'bad')).rejects.toThrow('conversion of Site default/bad from v2 to v1 failed');
  expect((await cluster.get(v1, 'good')).spec).toEqual({ name: 'good' });
  expect(await cluster.list(Site)).toHaveLength(3);
  expect(log.lines.filter(({ level }) => level === 'error')).toMatchObject([
    { fields: { object: 'Site default/bad', from: 'v2', to: 'v1' } },
  ]);
});

test('a kind that cannot be listed holds up its own controller alone, and is logged once', async () => {
  const log = new MemoryLog();
  await using cluster = await TestCluster.start({ operator });
  cluster.faults.fail({ verb: 'list', kind: Site, status: 500, times: Number.POSITIVE_INFINITY });
  cluster.faults.fail({ verb: 'watch', kind: Site, status: 500, times: Number.POSITIVE_INFINITY });
  await cluster.startOperator({ log });
  await cluster.create(Note({ metadata: { name: 'a' }, spec: {} }));
  await cluster.until(Note, 'a', ready);
  await cluster.create(Site({ metadata: { name: 'good' }, spec: { host: 'good' } }));
  const asked = () => cluster.requests.all.filter(({ resource, code }) => resource === 'sites' && code === 500).length;
  const before = asked();
  await cluster.until(() => asked() > before + 1, { timeout: DEADLINE_MS });
  expect(
    log.lines.filter(({ level, message }) => level === 'warn' && JSON.stringify(message).includes('sites')).length,
  ).toBeLessThanOrEqual(1);
  expect((await cluster.get(Site, 'good')).status).toBeUndefined();
  cluster.faults.clear();
  // The pause before the next try has grown meanwhile.
  await cluster.until(Site, 'good', ready, { timeout: DEADLINE_MS });
});
