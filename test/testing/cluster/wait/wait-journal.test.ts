import { type StartOperatorOptions, TestCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { z } from 'zod';

const Sail = defineCustomResource({
  group: 'sails.example.com',
  kind: 'Sail',
  versions: { v1: { spec: z.object({ size: z.int() }), status: z.object({ set: z.boolean().optional() }) } },
});
const controller = defineController({
  name: 'sails',
  for: Sail,
  owns: { configs: ConfigMap },
  reconcile({ object, done }) {
    const names = Array.from({ length: object.spec.size }, (_, index) => `${object.metadata.name}-${index}`);
    return done({ owned: { configs: names.map((name) => ConfigMap({ metadata: { name } })) }, status: { set: false } });
  },
});
const operator = defineOperator({ name: 'sails', controllers: [controller] });

/** The lines of the message of a wait that fails, from the journal on. */
async function failure(size: number, options: StartOperatorOptions = {}, kind: 'Sail' | 'ConfigMap' = 'Sail'): Promise<string> {
  const cluster = await TestCluster.start({ operator });
  try {
    await cluster.startOperator(options);
    await cluster.create(Sail({ metadata: { name: 'a' }, spec: { size } }));
    await cluster.settled();
    const wait =
      kind === 'Sail'
        ? cluster.until(Sail, 'a', { status: { set: true } }, { timeout: 100 })
        : cluster.until(ConfigMap, 'a-0', { data: { a: 'b' } }, { timeout: 100 });
    const error = await wait.then(
      () => 'it came',
      (thrown: unknown) => String(thrown),
    );
    const [, runs = 'none'] = error.split('The last runs of the operator that concern it:\n');
    return runs;
  } finally {
    await cluster.close();
  }
}

test('a wait that fails shows the last runs of the object: why, what was written, how they ended', async () => {
  const runs = await failure(1);
  expect(runs).toMatch(/sails: Sail default\/a at \d+/);
  expect(runs).toContain('because of object');
  expect(runs).toContain('apply ConfigMap default/a-0');
  expect(runs).toContain('apply Sail/status default/a');
  expect(runs.split('\n').length).toBeLessThanOrEqual(10);
});

test('a run of many writes is cut, and keeps how it ended', async () => {
  const lines = (await failure(30)).split('\n');
  expect(lines.length).toBeLessThanOrEqual(10);
  expect(lines.join('\n')).toMatch(/apply ConfigMap default\/a-0[\s\S]*… \d+ more lines\n.*success after/);
  expect(lines.at(-1)).toContain('success after');
});

test('a wait for a child shows the runs that wrote it', async () => {
  expect(await failure(1, {}, 'ConfigMap')).toContain('sails: Sail default/a');
});

test('without a journal the message is as it was', async () => {
  expect(await failure(1, { journal: false })).toBe('none');
});
