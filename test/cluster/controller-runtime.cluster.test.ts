import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goClient } from '../../scripts/cluster/go-client.js';
import { ApiServer } from '../../src/api-server/server/index.js';
import { type Pair, startPair } from './differential/servers.js';
import { describeCluster, programOutput } from './harness/index.js';

/** What the Go program reports of one check. */
interface Result {
  readonly name: string;
  readonly passed: boolean;
  readonly error?: string;
  readonly saw?: readonly string[];
}

const client = goClient(join(__dirname, 'controller-runtime'));
const describeGo = client.found
  ? describeCluster
  : (name: string) => describe.skip(`${name} [skipped: ${client.reason}]`, () => test('Go', () => undefined));

/** Runs the program, which ends with 0 whatever its checks found. */
async function run(
  kubeconfig: string,
  parameters: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly Result[]> {
  if (!client.found) throw new Error(client.reason);
  return JSON.parse(
    await programOutput(client.path, [`--kubeconfig-file=${kubeconfig}`, ...parameters], { env: { ...process.env, ...environment } }),
  ) as Result[];
}

function expectAlike(ours: readonly Result[], theirs: readonly Result[], atLeast: number): void {
  const failed = (results: readonly Result[]): readonly Result[] => results.filter(({ passed }) => !passed);
  expect({ ours: failed(ours), theirs: failed(theirs) }).toEqual({ ours: [], theirs: [] });
  expect(ours).toEqual(theirs);
  // A program that checks nothing passes.
  expect(theirs.length).toBeGreaterThanOrEqual(atLeast);
}

describeGo('an operator of controller-runtime cannot tell the embedded server from a kube-apiserver', () => {
  let pair: Pair;
  let folder: string;
  let kubeconfigs: readonly [string, string];
  beforeAll(async () => {
    pair = await startPair();
    folder = mkdtempSync(join(tmpdir(), 'keelson-go-'));
    writeFileSync(join(folder, 'kubeconfig'), pair.server.kubeconfig(), { mode: 0o600 });
    kubeconfigs = [join(folder, 'kubeconfig'), pair.cluster.kubeconfig];
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await pair.stop();
  });

  test('whatever it does', async () => {
    const streaming = { KUBE_FEATURE_WatchListClient: 'true' };
    const [ours, theirs] = await Promise.all(kubeconfigs.map((kubeconfig) => run(kubeconfig, [], streaming)));
    expectAlike(ours ?? [], theirs ?? [], 60);
  });

  test('with informers that list before they watch', async () => {
    const plain = { KUBE_FEATURE_WatchListClient: 'false' };
    const [ours, theirs] = await Promise.all(kubeconfigs.map((kubeconfig) => run(kubeconfig, ['--only=informers'], plain)));
    expectAlike(ours ?? [], theirs ?? [], 4);
  });
});

describeGo(
  'a client of controller-runtime sees owners and namespaces end as with a kube-controller-manager',
  (cluster) => {
    let server: ApiServer;
    let folder: string;
    beforeAll(async () => {
      server = await ApiServer.start({ mode: 'cluster' });
      folder = mkdtempSync(join(tmpdir(), 'keelson-go-'));
      writeFileSync(join(folder, 'kubeconfig'), server.kubeconfig(), { mode: 0o600 });
    });
    afterAll(async () => {
      rmSync(folder, { recursive: true, force: true });
      await server.close();
    });

    test('whatever it deletes', async () => {
      const kubeconfigs = [join(folder, 'kubeconfig'), cluster.kubeconfig];
      const [ours, theirs] = await Promise.all(kubeconfigs.map((kubeconfig) => run(kubeconfig, ['--controllers'])));
      expectAlike(ours ?? [], theirs ?? [], 9);
    });
  },
  { controllerManager: true },
);
