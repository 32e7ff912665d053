import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type InProcessCluster, processes, TestCluster } from '@keelson/testing';
import { Pod, Service, StatefulSet } from 'keelson/kinds';
import { Terminals } from '../../src/api-server/workloads/processes/machine/index.js';
import { DEADLINE_MS } from '../deadline.cjs';
import { describeCluster } from './harness/index.js';

const SIZE = 3;
/** Makes kubectl ask for SPDY alone. */
const SPDY = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false' };
/**
 * etcd answers this while a leader is elected: after the one before was killed or hung, or had no CPU for a second. What was passed on to that one is lost. Who asks is to
 * ask again, as etcd's own client does. Sources: etcd `api/v3rpc/rpctypes/error.go`, 3.6, and the deadline of a request here.
 */
const ASK_AGAIN = /^etcdserver: (leader changed|no leader|request timed out.*)$|^context deadline exceeded$/;
const STARTS = 'http://etcd-0.etcd:2380,etcd-1=http://etcd-1.etcd:2380,etcd-2=http://etcd-2.etcd:2380';

/** As an author writes it for a cluster: names, `0.0.0.0`, a mount path. */
const etcd = {
  metadata: { name: 'etcd' },
  spec: {
    serviceName: 'etcd',
    replicas: SIZE,
    podManagementPolicy: 'Parallel',
    selector: { matchLabels: { app: 'etcd' } },
    template: {
      metadata: { labels: { app: 'etcd' } },
      spec: {
        terminationGracePeriodSeconds: 5,
        containers: [
          {
            name: 'etcd',
            image: 'quay.io/coreos/etcd:v3.6.16',
            env: [{ name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
            args: [
              '--name=$(POD)',
              '--data-dir=/data/etcd',
              '--listen-client-urls=http://0.0.0.0:2379',
              '--listen-peer-urls=http://0.0.0.0:2380',
              '--advertise-client-urls=http://$(POD).etcd:2379',
              '--initial-advertise-peer-urls=http://$(POD).etcd:2380',
              `--initial-cluster=etcd-0=${STARTS}`,
            ],
            readinessProbe: { httpGet: { port: 2379, path: '/health' }, periodSeconds: 1 },
            volumeMounts: [{ name: 'data', mountPath: '/data' }],
          },
        ],
      },
    },
    volumeClaimTemplates: [
      { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    ],
  },
} as const;

describeCluster('Pods as processes: three real etcd members, and the real kubectl', (real) => {
  let cluster: InProcessCluster;
  let directory: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'keelson-pods-'));
    const program = join(dirname(real.connection.kubectl), 'etcd');
    const containers = processes({
      'quay.io/coreos/etcd:*': ({ args, local }) => ({ program, args: args.map(local) }),
      'sh:*': ({ args }) => ({ program: '/bin/sh', args: ['-c', ...args] }),
    });
    cluster = await TestCluster.start({ workloads: { containers }, timeout: DEADLINE_MS });
    writeFileSync(join(directory, 'kubeconfig'), await cluster.kubeconfig());
    await cluster.create(Service, {
      metadata: { name: 'etcd' },
      spec: {
        clusterIP: 'None',
        publishNotReadyAddresses: true,
        selector: { app: 'etcd' },
        ports: [
          { name: 'client', port: 2379 },
          { name: 'peer', port: 2380 },
        ],
      },
    });
    await cluster.create(StatefulSet, etcd as never);
    await cluster.until(StatefulSet, 'etcd', { status: { readyReplicas: SIZE } });
  });
  afterAll(async () => {
    await cluster?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function ask(member: string, path: string, body: object): Promise<Record<string, unknown>> {
    return askAt(`http://${await cluster.addressOf(Pod, member)}:2379`, path, body);
  }

  /** POST to the gateway of a member; again where the members elect another leader meanwhile, five times at most. */
  async function askAt(url: string, path: string, body: object): Promise<Record<string, unknown>> {
    const asked = async (): Promise<Record<string, unknown>> => {
      const answer = await fetch(`${url}/v3${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'Grpc-Timeout': '5S' },
      });
      return (await answer.json()) as Record<string, unknown>;
    };
    let answer = await asked();
    for (let left = 4; left > 0 && ASK_AGAIN.test(String(answer['message'])); left -= 1) answer = await asked();
    expect(answer).toMatchObject({ header: {} });
    return answer;
  }

  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  const put = (member: string, key: string, value: string): Promise<unknown> =>
    ask(member, '/kv/put', { key: encoded(key), value: encoded(value) });
  async function value(member: string, key: string): Promise<string> {
    const { kvs = [] } = (await ask(member, '/kv/range', { key: encoded(key) })) as {
      readonly kvs?: readonly { readonly value: string }[];
    };
    return Buffer.from(kvs[0]?.value ?? '', 'base64').toString();
  }
  const leaderOf = async (member: string): Promise<unknown> => (await ask(member, '/maintenance/status', {}))['leader'];

  function kubectl(
    ...given: readonly (string | Readonly<Record<string, string>>)[]
  ): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
    const args = given.filter((one) => typeof one === 'string');
    const env = Object.assign({}, ...given.filter((one) => typeof one !== 'string')) as Record<string, string>;
    const child = spawn(real.connection.kubectl, ['--kubeconfig', 'kubeconfig', '--cache-dir', 'cache', ...args], {
      cwd: directory,
      env: { HOME: directory, PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: DEADLINE_MS,
      killSignal: 'SIGKILL',
    });
    // A command that does not read it can have ended before this process, which has no CPU for a moment, writes it.
    child.stdin.on('error', () => undefined).end('by hand');
    const [stdout, stderr] = [collected(child.stdout), collected(child.stderr)];
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout: stdout.text, stderr: stderr.text })));
  }

  test('they find each other by their names and elect one leader', async () => {
    // Not at one moment: another may be elected between two answers.
    await cluster.until(async () => {
      const leaders = new Set([await leaderOf('etcd-0'), await leaderOf('etcd-1'), await leaderOf('etcd-2')]);
      expect([...leaders]).toEqual([expect.stringMatching(/^\d+$/)]);
    });
  });

  test('what is written to one is read from another', async () => {
    await put('etcd-0', 'colour', 'red');
    expect(await value('etcd-2', 'colour')).toBe('red');
  });

  test('a member that is killed comes back with its data', async () => {
    await put('etcd-0', 'colour', 'green');
    await cluster.pods.signal('etcd-1', 'SIGKILL');
    await cluster.until(Pod, 'etcd-1', (pod) => {
      const [status] = pod.status?.containerStatuses ?? [];
      return status?.restartCount === 1 && status.ready;
    });
    expect(await value('etcd-1', 'colour')).toBe('green');
  });

  test('a Pod that is deleted is made anew, and finds its data in the claim', async () => {
    const { metadata } = await cluster.get(Pod, 'etcd-2');
    await put('etcd-0', 'colour', 'blue');
    await cluster.delete(Pod, 'etcd-2');
    await cluster.until(Pod, 'etcd-2', (pod) => pod.metadata.uid !== metadata.uid && pod.status?.containerStatuses?.[0]?.ready === true);
    expect(await value('etcd-2', 'colour')).toBe('blue');
    expect(await cluster.logsOf('etcd-2')).toContain('"restarting local member"');
  });

  test('a member that hangs is not ready, and is again when it goes on', async () => {
    await cluster.pods.signal('etcd-1', 'SIGSTOP');
    const isReady = (wanted: boolean) => (pod: Pod) => pod.status?.containerStatuses?.[0]?.ready === wanted;
    await cluster.until(Pod, 'etcd-1', isReady(false));
    expect(await value('etcd-0', 'colour')).not.toBe('');
    await cluster.pods.signal('etcd-1', 'SIGCONT');
    await cluster.until(Pod, 'etcd-1', isReady(true));
  });

  test('kubectl logs shows what a member wrote, and follows it to its end', async () => {
    const { code, stdout, stderr } = await kubectl('logs', 'etcd-0', '--tail=1', '--timestamps');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z \{"level".*\}\n$/);
    // kubectl asks for the Pod first.
    const logRequests = (): number => cluster.requests.filter({ subresource: 'log', name: 'etcd-2' }).length;
    const before = logRequests();
    const followed = kubectl('logs', '-f', 'etcd-2');
    await cluster.until(() => logRequests() > before);
    await cluster.pods.signal('etcd-2', 'SIGTERM');
    expect((await followed).stdout).toContain('"received signal; shutting down"');
    // The log is that of the run before when the next one has begun.
    await cluster.until(Pod, 'etcd-2', (pod) => {
      const [status] = pod.status?.containerStatuses ?? [];
      return status?.restartCount === 1 && status.state?.running !== undefined;
    });
    const previous = await kubectl('logs', '--previous', 'etcd-2');
    expect([previous.code, previous.stdout.includes('"received signal; shutting down"')]).toEqual([0, true]);
  });

  test('kubectl exec runs a command in a member, with its input, streams and exit code', async () => {
    await cluster.until(Pod, 'etcd-2', (pod) => pod.status?.containerStatuses?.[0]?.ready === true);
    expect(await kubectl('exec', '-i', 'etcd-0', '--', 'sh', '-c', 'cat; echo " in $POD"; echo oops >&2; exit 3')).toEqual({
      code: 3,
      stdout: 'by hand in etcd-0\n',
      stderr: 'oops\ncommand terminated with exit code 3\n',
    });
  });

  /** `kubectl port-forward`, for as long as `use` runs. */
  async function forwarded(pod: string, env: Readonly<Record<string, string>>, use: (port: number) => Promise<void>): Promise<string> {
    const child = spawn(
      real.connection.kubectl,
      ['--kubeconfig', 'kubeconfig', '--cache-dir', 'cache', 'port-forward', pod, ':2379', ':1'],
      {
        cwd: directory,
        env: { HOME: directory, PATH: process.env['PATH'] ?? '', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: DEADLINE_MS,
        killSignal: 'SIGKILL',
      },
    );
    const [stdout, stderr] = [collected(child.stdout), collected(child.stderr)];
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    try {
      const portTo = (target: number): number => Number(new RegExp(`127.0.0.1:(\\d+) -> ${target}\\b`).exec(stdout.text)?.[1] ?? 0);
      await cluster.until(() => portTo(2379) > 0 && portTo(1) > 0);
      await use(portTo(2379));
      // Nobody listens there.
      await expect(fetch(`http://127.0.0.1:${portTo(1)}/`)).rejects.toThrow();
      await cluster.until(() => stderr.text.includes('error forwarding port 1 to pod'));
    } finally {
      child.kill('SIGINT');
      await closed;
    }
    return stderr.text;
  }

  test.each([
    ['a WebSocket', {}, 'get'],
    ['SPDY', { KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' }, 'create'],
  ])('kubectl port-forward over %s leads to a port of a member, several times at once', async (_what, env, verb) => {
    await forwarded('etcd-0', env, async (port) => {
      const url = `http://127.0.0.1:${port}`;
      // Whoever leads.
      const version = async (): Promise<unknown> => (await fetch(`${url}/version`)).json();
      expect(await Promise.all([version(), version(), version()])).toEqual(
        Array(3).fill(expect.objectContaining({ etcdserver: expect.any(String) })),
      );
      // Larger than any buffer on the way.
      const large = 'x'.repeat(1_000_000);
      await askAt(url, '/kv/put', { key: encoded('large'), value: encoded(large) });
      expect(await value('etcd-0', 'large')).toBe(large);
      expect(await askAt(url, '/kv/range', { key: encoded('large') })).toMatchObject({ kvs: [{ value: encoded(large) }] });
    });
    expect(cluster.requests.filter({ subresource: 'portforward' }).all.at(-1)).toMatchObject({ verb, code: 101 });
  });

  test('kubectl exec over SPDY is as over a WebSocket', async () => {
    expect(await kubectl('exec', '-i', 'etcd-0', '--', 'sh', '-c', 'cat; echo " in $POD"; echo oops >&2; exit 3', SPDY)).toEqual({
      code: 3,
      stdout: 'by hand in etcd-0\n',
      stderr: 'oops\ncommand terminated with exit code 3\n',
    });
  });

  // kubectl asks for a terminal only if it has one itself.
  const terminals = Terminals.find(process.env['PATH'] ?? '');
  const noTerminal = terminals === undefined ? ' [skipped: script of util-linux or stty is not on the PATH]' : '';
  (terminals === undefined ? test.skip : test).each([
    ['a WebSocket', {}],
    ['SPDY', SPDY],
  ])(`kubectl exec -it over %s has a terminal of its size${noTerminal}`, async (_what, env) => {
    const script = 'tty; until [ "$(stty size)" = "33 101" ]; do sleep 0.05; done; stty size; exit 3';
    const exec = ['--kubeconfig', 'kubeconfig', '--cache-dir', 'cache', 'exec', '-it', 'etcd-0', '--', 'sh', '-c', script];
    const sized = ['-c', 'stty cols 101 rows 33; exec "$0" "$@"', real.connection.kubectl, ...exec];
    const variables = { HOME: directory, PATH: process.env['PATH'] ?? '', ...env };
    const command = (terminals as Terminals).on({ program: '/bin/sh', args: sized, env: variables, directory });
    // Its input stays open: the end of it would be that of the command.
    const child = spawn(command.program, command.args, { ...command, cwd: directory, timeout: DEADLINE_MS, killSignal: 'SIGKILL' });
    const stdout = collected(child.stdout);
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, stdout.text]).toEqual([
      3,
      expect.stringMatching(/^\/dev\/pts\/\d+\r\n33 101\r\ncommand terminated with exit code 3\r\n$/),
    ]);
    expect(cluster.requests.filter({ subresource: 'exec' }).all.at(-1)).toMatchObject({ code: 101 });
  });

  test.each([
    ['a WebSocket', {}, 'get'],
    ['SPDY', SPDY, 'create'],
  ])('kubectl attach over %s has the input and the output of a container', async (_what, env, verb) => {
    const name = `shell-${verb}`;
    await cluster.create(Pod, {
      metadata: { name },
      spec: {
        restartPolicy: 'Never',
        containers: [{ name: 'main', image: 'sh:1', stdin: true, stdinOnce: true, args: ['cat; echo " in $HOSTNAME"; echo oops >&2'] }],
      },
    });
    await cluster.until(Pod, name, (pod) => pod.status?.containerStatuses?.[0]?.state?.running !== undefined);
    expect(await kubectl('attach', '-i', name, env)).toEqual({
      code: 0,
      stdout: `by hand in ${name}\n`,
      stderr: expect.stringMatching(/oops\n$/),
    });
    expect(cluster.requests.filter({ subresource: 'attach' }).all.at(-1)).toMatchObject({ verb, code: 101 });
    await cluster.until(Pod, name, { status: { phase: 'Succeeded' } });
  });

  test('kubectl shows Pods', async () => {
    expect(
      (await kubectl('get', 'pods', '--selector=app=etcd', '--no-headers', '-o', 'custom-columns=:metadata.name,:status.phase')).stdout,
    ).toMatch(/^etcd-0 +Running\netcd-1 +Running\netcd-2 +Running\n$/);
  });
});

function collected(stream: NodeJS.ReadableStream): { text: string } {
  const whole = { text: '' };
  stream.on('data', (chunk) => {
    whole.text += String(chunk);
  });
  return whole;
}
