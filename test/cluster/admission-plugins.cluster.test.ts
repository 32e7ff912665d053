import { countedQuotaScripts } from './admission/counted-quota.js';
import { kindScripts } from './admission/kinds.js';
import { limitRangerScripts } from './admission/limit-ranger.js';
import { podSecurityScripts } from './admission/pod-security.js';
import { resourceQuotaScripts } from './admission/resource-quota.js';
import { serviceAccountScripts } from './admission/service-account.js';
import { reportOf } from './differential/report.js';
import { compareScript, type Script } from './differential/script.js';
import { type Pair, startPair } from './differential/servers.js';
import { describeCluster } from './harness/index.js';

const scripts: readonly Script[] = [...podSecurityScripts, ...limitRangerScripts, ...resourceQuotaScripts, ...kindScripts];

/** Every exchange, on the embedded server and on a real one: `-` is what the embedded one says, `+` the real one. */
describeCluster('admission plugins answer as those of a kube-apiserver', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair();
  });
  afterAll(() => pair?.stop());

  test.each(scripts.map((script) => [script.name, script] as const))('%s', async (_name, script) => {
    expect(reportOf(await compareScript(script, pair.speakers))).toBe('');
  });
});

/** As in a whole cluster: there are service accounts, and somebody counts what quotas have left. */
describeCluster('admission plugins and controllers together answer as those of a cluster', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair({ controllerManager: true });
  });
  afterAll(() => pair?.stop());

  const withControllers = [...serviceAccountScripts, ...countedQuotaScripts];
  test.each(withControllers.map((script) => [script.name, script] as const))('%s', async (_name, script) => {
    expect(reportOf(await compareScript(script, pair.speakers))).toBe('');
  });
});
