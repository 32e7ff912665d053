import { mutatingPolicyScripts } from './admission/mutating-policies.js';
import { mutatingPolicyKindScripts } from './admission/mutating-policy-kinds.js';
import { reportOf } from './differential/report.js';
import { compareScript } from './differential/script.js';
import { type Pair, startPair } from './differential/servers.js';
import { describeCluster } from './harness/index.js';

/** Every exchange, on the embedded server and on a real one: `-` is what the embedded one says, `+` the real one. */
describeCluster('mutating admission policies act as those of a kube-apiserver', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair({ apiServerFlags: ['--allow-privileged=true'] });
  });
  afterAll(() => pair?.stop());

  const scripts = [...mutatingPolicyScripts, ...mutatingPolicyKindScripts];
  test.each(scripts.map((script) => [script.name, script] as const))('%s', async (_name, script) => {
    expect(reportOf(await compareScript(script, pair.speakers))).toBe('');
  });
});
