import fc from 'fast-check';
import type { JsonObject } from '../../../src/api-server/contract/index.js';
import { bodyOf, drained, metaOf, newBench, toldRefusal, widget } from './fakes.js';

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
};

/** How long admission thinks about each request, in turns of the event loop. */
const delays = fc.array(fc.nat(20), { minLength: 2, maxLength: 8 });

describe('many writers of one object', () => {
  test('lose nothing of their patches, and each write is one event', async () => {
    await fc.assert(
      fc.asyncProperty(delays, async (pauses) => {
        const bench = newBench();
        await bench.registry.create(bench.at('default/'), bodyOf(widget('a')), bench.context());
        const watch = await bench.registry.watch(bench.at('default/'), { resourceVersion: '2' });
        let request = 0;
        bench.admission.onValidate = () => turns(pauses[request++ % pauses.length] ?? 0);
        const patches = pauses.map((_pause, index) => ({ metadata: { labels: { [`l${index}`]: 'x' } } }));
        await Promise.all(
          patches.map((value) =>
            bench.registry.patch(bench.at('default/a'), { format: 'merge', force: false, value, strictProblems: [] }, bench.context()),
          ),
        );
        const { labels } = metaOf(await bench.registry.get(bench.at('default/a'), {})) as { labels: JsonObject };
        expect(Object.keys(labels)).toHaveLength(pauses.length);
        expect(await drained(watch)).toHaveLength(pauses.length);
        expect(bench.store.revision).toBe(2 + pauses.length);
      }),
      { numRuns: 30 },
    );
  });

  test('who name the version that they have seen: one of them wins', async () => {
    await fc.assert(
      fc.asyncProperty(delays, async (pauses) => {
        const bench = newBench();
        const created = await bench.registry.create(bench.at('default/'), bodyOf(widget('a')), bench.context());
        let request = 0;
        bench.admission.onValidate = () => turns(pauses[request++ % pauses.length] ?? 0);
        const writes = pauses.map(async (_pause, index) => {
          const written = bench.registry.update(bench.at('default/a'), bodyOf({ ...created, spec: { size: 10 + index } }), bench.context());
          return written.then(() => 'written').catch(() => toldRefusal(written));
        });
        const outcomes = await Promise.all(writes);
        expect(outcomes.filter((outcome) => outcome === 'written')).toHaveLength(1);
        expect(outcomes.filter((outcome) => outcome.startsWith('409 Conflict'))).toHaveLength(pauses.length - 1);
      }),
      { numRuns: 30 },
    );
  });

  test('of one name: one of them creates it', async () => {
    const bench = newBench();
    bench.admission.onValidate = () => turns(3);
    const creates = [1, 2, 3].map(() => bench.registry.create(bench.at('default/'), bodyOf(widget('a')), bench.context()));
    const outcomes = await Promise.allSettled(creates);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(bench.store.revision).toBe(2);
  });

  test('who apply it into being: one creates it, and the others find it', async () => {
    const bench = newBench();
    bench.admission.onValidate = () => turns(3);
    const config = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { size: 2 } };
    const apply = (fieldManager: string) =>
      bench.registry.patch(
        bench.at('default/a'),
        { format: 'apply', force: false, value: config, strictProblems: [] },
        bench.context({ fieldManager }),
      );
    const written = await Promise.all(['one', 'two', 'three'].map(apply));
    expect(written.filter(({ isCreated }) => isCreated)).toHaveLength(1);
    const { managedFields } = metaOf(await bench.registry.get(bench.at('default/a'), {}));
    expect(new Set((managedFields as JsonObject[]).map((entry) => entry['manager']))).toEqual(new Set(['one', 'two', 'three']));
  });
});
