import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InProcessCluster, processes, TestCluster } from '@keelson/testing';
import { Pod } from 'keelson/kinds';
import { javaClient } from '../../scripts/cluster/java-client.js';
import { DEADLINE_MS } from '../deadline.cjs';
import { type Pair, startPair } from './differential/servers.js';
import { describeCluster, programOutput } from './harness/index.js';

/** What the Java program reports of one check. */
interface Result {
  readonly name: string;
  readonly passed: boolean;
  readonly error?: string;
  readonly saw?: readonly string[];
}

const client = javaClient(join(__dirname, 'java-clients'));
const describeJava = client.found
  ? describeCluster
  : (name: string) => describe.skip(`${name} [skipped: ${client.reason}]`, () => test('Java', () => undefined));

/** Two cores carry the server too: the second compiler of the JVM takes more than it brings in a run of seconds. */
const JVM_FLAGS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto'];

/** Runs suites of the program, which ends with 0 whatever its checks found. */
async function run(kubeconfig: string, suites: readonly string[]): Promise<readonly Result[]> {
  if (!client.found) throw new Error(client.reason);
  return JSON.parse(await programOutput('java', [...JVM_FLAGS, '-cp', client.classPath, 'Main', kubeconfig, ...suites])) as Result[];
}

const failed = (results: readonly Result[]): readonly Result[] => results.filter(({ passed }) => !passed);

describeJava('operators in Java cannot tell the embedded server from a kube-apiserver', () => {
  let pair: Pair;
  let folder: string;
  beforeAll(async () => {
    pair = await startPair();
    folder = mkdtempSync(join(tmpdir(), 'keelson-java-'));
    writeFileSync(join(folder, 'kubeconfig'), pair.server.kubeconfig(), { mode: 0o600 });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await pair.stop();
  });

  test("by fabric8's client, over Vert.x and the JDK's HTTP client, and by the official one", async () => {
    const suites = ['fabric8', 'official'];
    const [ours, theirs] = await Promise.all([run(join(folder, 'kubeconfig'), suites), run(pair.cluster.kubeconfig, suites)]);
    expect({ ours: failed(ours), theirs: failed(theirs) }).toEqual({ ours: [], theirs: [] });
    expect(ours).toEqual(theirs);
    // A program that checks nothing passes.
    expect(theirs.length).toBeGreaterThanOrEqual(45);
  });
});

/** Answers HTTP where it is told to, and says so. */
const TALKER = `
  const { hostname, port } = new URL(process.argv[1]);
  require('node:http').createServer((_, answer) => answer.end('hello')).listen(port, hostname, () => console.log('ready'));
`;

describeJava('clients in Java reach into Pods as processes', () => {
  let cluster: InProcessCluster;
  let folder: string;
  beforeAll(async () => {
    const containers = processes({
      'talker:*': ({ args, local }) => ({ program: process.execPath, args: ['-e', TALKER, ...args.map(local)] }),
    });
    cluster = await TestCluster.start({ workloads: { containers }, timeout: DEADLINE_MS });
    folder = mkdtempSync(join(tmpdir(), 'keelson-java-'));
    writeFileSync(join(folder, 'kubeconfig'), await cluster.kubeconfig(), { mode: 0o600 });
    await cluster.create(Pod, {
      metadata: { name: 'talker', namespace: 'default' },
      spec: {
        containers: [
          {
            name: 'talker',
            image: 'talker:1',
            args: ['http://0.0.0.0:8080'],
            readinessProbe: { httpGet: { port: 8080, path: '/' }, periodSeconds: 1 },
          },
        ],
      },
    });
    await cluster.until(Pod, 'talker', { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  });
  afterAll(async () => {
    await cluster?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('for logs, commands and ports', async () => {
    const results = await run(join(folder, 'kubeconfig'), ['fabric8-pods', 'official-pods']);
    expect(failed(results)).toEqual([]);
    const saw = (name: string) => results.find((one) => one.name === name)?.saw;
    for (const client of ['fabric8-vertx', 'fabric8-jdk', 'official']) {
      expect(saw(`${client}: runs a command, with both outputs and the exit code`)).toEqual(['3', 'out\n', 'err\n']);
      expect(saw(`${client}: writes to a command`)).toEqual(['0', 'first\n']);
    }
    for (const client of ['fabric8-vertx', 'fabric8-jdk']) {
      expect(saw(`${client}: reads a log, whole and as it grows`)).toEqual(['ready\n', 'ready']);
      expect(saw(`${client}: forwards a port`)).toEqual(['hello']);
      expect(saw(`${client}: is refused the log of a Pod that is missing`)).toEqual(['404', 'NotFound', 'pods "missing" not found']);
    }
    expect(saw('official: follows a log')).toEqual(['ready']);
    expect(saw('official: forwards a port')).toEqual(['HTTP/1.1 200 OK']);
  });
});
