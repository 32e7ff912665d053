import { reportOf } from './differential/report.js';
import { compareScript } from './differential/script.js';
import { scripts } from './differential/scripts/index.js';
import { type Pair, startPair } from './differential/servers.js';
import { describeCluster } from './harness/index.js';

/** Every exchange of every script, on the embedded server and on a real one: `-` is what the embedded one says, `+` the real one. */
describeCluster('the embedded server answers as a kube-apiserver', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair();
  });
  afterAll(() => pair.stop());

  test.each(scripts.map((script) => [script.name, script] as const))('%s', async (_name, script) => {
    expect(reportOf(await compareScript(script, pair.speakers))).toBe('');
  });

  test('at least 400 exchanges are compared', () => {
    expect(scripts.reduce((sum, { steps }) => sum + steps.length, 0)).toBeGreaterThanOrEqual(400);
  });
});
