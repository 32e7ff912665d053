import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SUITES = join(__dirname, '../cluster');

/** Why these files of `test/cluster` start a kube-apiserver, which costs six seconds of CPU. All others take one of the pool. */
const STARTERS: Readonly<Record<string, string>> = {
  'authentication.cluster.test.ts': 'an authority for client certificates, and users, of its own',
  'authorization.cluster.test.ts': 'users in groups of its own',
  'builtin-stories.cluster.test.ts': 'without plugins of admission',
  'differential/servers.ts': 'for pairs with flags: mutating-policies.cluster.test.ts alone',
  'harness.cluster.test.ts': 'kills parts',
  'harness/shared-cluster.ts': 'the pool',
  'kinds.cluster.test.ts': 'serves every version of every API',
  'runtime-disturbances/scene.ts': 'kills and pauses parts',
  'test-cluster.cluster.test.ts': 'how TestCluster starts one is what it tests',
  'webhook-clients.cluster.test.ts': 'reads a configuration of admission',
};

const startsOne = /(?<!function )\bstartCluster\(|TestCluster\.start\(\{[^}]*server: 'kube-apiserver'|\(\{ server: 'kube-apiserver'/;
const textOf = (name: string): string => readFileSync(join(SUITES, name), 'utf8');
const files = readdirSync(SUITES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

test('no suite starts a kube-apiserver where one of the pool would do', () => {
  expect(files.filter((name) => startsOne.test(textOf(name))).sort()).toEqual(Object.keys(STARTERS).sort());
  expect(files.filter((name) => /startPair\(\{[^}]*apiServerFlags/.test(textOf(name)))).toEqual(['mutating-policies.cluster.test.ts']);
});
