import { readFileSync } from 'node:fs';
import { Kubectl, shownText } from './differential/kubectl.js';
import { type Scenario, scenarios } from './differential/kubectl-scenarios.js';
import { type Pair, startPair } from './differential/servers.js';
import { describeCluster } from './harness/index.js';

/** The real kubectl, command by command, on the embedded server and on a real one: it must print the same and end the same. */
describeCluster('kubectl cannot tell the embedded server from a kube-apiserver', () => {
  let pair: Pair;
  let sides: readonly [Kubectl, Kubectl];
  beforeAll(async () => {
    pair = await startPair();
    const { kubectl: binary } = pair.cluster.connection;
    sides = [new Kubectl(binary, pair.server.kubeconfig()), new Kubectl(binary, readFileSync(pair.cluster.kubeconfig, 'utf8'))];
  });
  afterAll(async () => {
    for (const side of sides) side.remove();
    await pair.stop();
  });

  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', async (_name, scenario) => {
    expect((await differencesOf(scenario, sides)).join('\n')).toBe('');
  });

  test('at least 100 commands are compared', () => {
    expect(scenarios.reduce((sum, { commands }) => sum + commands.length, 0)).toBeGreaterThanOrEqual(100);
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
    const [ours = '', theirs = ''] = (await Promise.all(sides.map((side) => side.run(command)))).map(shownText);
    if (ours !== theirs) differences.push(`kubectl ${command.line}\n--- embedded\n${ours}\n--- kube-apiserver\n${theirs}`);
  }
  return differences;
}
