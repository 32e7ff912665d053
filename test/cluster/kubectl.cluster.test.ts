import { stringify } from 'yaml';
import type { Endpoint } from './differential/exchange.js';
import { type Command, Kubectl, shownText } from './differential/kubectl.js';
import { type Scenario, scenarios } from './differential/kubectl-scenarios.js';
import { differenceOf } from './differential/script.js';
import { type Pair, startPair } from './differential/servers.js';
import { describeCluster, type KubectlResult } from './harness/index.js';

const COMMANDS = scenarios.reduce((sum, { commands }) => sum + commands.length, 0);

/** The real kubectl, command by command, on the embedded server and on a real one: it must print the same and end the same. */
describeCluster('kubectl cannot tell the embedded server from a kube-apiserver', () => {
  let pair: Pair;
  let sides: readonly [Kubectl, Kubectl];
  beforeAll(async () => {
    pair = await startPair();
    const { kubectl: binary } = pair.cluster.connection;
    const [ours, theirs] = pair.speakers;
    sides = [new Kubectl(binary, kubeconfigOf(ours.endpoint)), new Kubectl(binary, kubeconfigOf(theirs.endpoint))];
  });
  afterAll(async () => {
    for (const side of sides) side.remove();
    await pair.stop();
  });

  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', async (_name, scenario) => {
    expect((await differencesOf(scenario, sides)).join('\n')).toBe('');
  });

  test(`${COMMANDS} commands are compared: at least 100`, () => {
    expect(COMMANDS).toBeGreaterThanOrEqual(100);
  });
});

async function differencesOf({ name, files = {}, commands }: Scenario, sides: readonly [Kubectl, Kubectl]): Promise<string[]> {
  const namespace = name.replaceAll(/[^a-z]+/g, '-');
  for (const side of sides) {
    for (const [file, text] of Object.entries(files)) side.write(file, text);
    await side.run({ line: `create namespace ${namespace}` });
    await side.run({ line: `config set-context --current --namespace=${namespace}` });
  }
  const differences: string[] = [];
  for (const entry of commands) {
    const command = typeof entry === 'string' ? { line: entry } : entry;
    const [ours = '', theirs = ''] = (await Promise.all(sides.map((side) => answerOf(side, command)))).map((result) =>
      shownText(result, command),
    );
    const lines = differenceOf(ours.split('\n'), theirs.split('\n'));
    if (lines.length > 0) differences.push(`kubectl ${command.line} (- embedded, + kube-apiserver)\n${lines.join('\n')}`);
  }
  return differences;
}

/** So often is asked what a real server publishes a moment later. */
const MOST_TRIES = 60;

async function answerOf(side: Kubectl, command: Command): Promise<KubectlResult> {
  let result = await side.run(command);
  for (let tries = 1; command.isPublishedLater === true && result.code !== 0 && tries < MOST_TRIES; tries += 1)
    result = await side.run(command);
  return result;
}

/** An administrator with a token: certificates would show in `auth whoami`. */
function kubeconfigOf({ url, ca, tokens }: Endpoint): string {
  const data = Buffer.from(ca).toString('base64');
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'admin',
    clusters: [{ name: 'it', cluster: { server: url, 'certificate-authority-data': data } }],
    users: [{ name: 'admin', user: { token: tokens['admin'] } }],
    contexts: [{ name: 'admin', context: { cluster: 'it', user: 'admin' } }],
  });
}
