import { type Pair, startPair } from './differential/servers.js';
import { describeCluster } from './harness/index.js';
import { CACHES_V1, CACHES_V2, cacheDefinition, DEFINITION_PATH } from './random-operations/cache-definition.js';
import { randomReport } from './random-operations/streams.js';

/** More of them find more, and take longer: about 100 a second on two cores. */
const STEPS = Number(process.env['RANDOM_STEPS'] ?? 10_000);
const SEED = Number(process.env['RANDOM_SEED'] ?? 20_261);
/** Independent of each other, so that neither server waits for the other. */
const STREAMS = 8;

/** The same operations on both servers, chosen by a seed; every answer is compared and, at intervals, everything that is stored. */
describeCluster('random operations leave the embedded server as they leave a kube-apiserver', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair();
    for (const speaker of pair.speakers) {
      await speaker.ask({ method: 'POST', path: DEFINITION_PATH, body: cacheDefinition });
      for (const { path } of [CACHES_V1, CACHES_V2])
        await speaker.ask({ method: 'GET', path: path.replace('{ns}', 'default'), until: '"kind":"CacheList"' });
    }
  });
  afterAll(() => pair.stop());

  test(
    `${STEPS} steps from seed ${SEED} (RANDOM_STEPS, RANDOM_SEED)`,
    async () => {
      expect(await randomReport({ speakers: pair.speakers, seed: SEED, steps: STEPS, streams: STREAMS })).toBe('');
    },
    STEPS * 100 + 60_000,
  );
});
