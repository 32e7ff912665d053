import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { type InProcessCluster, mergePatch, type StoredOf, TestCluster } from '@keelson/testing';
import { Pod } from 'keelson/kinds';
import { Memcached } from '../../examples/memcached/memcached.js';
import { operator } from '../../examples/memcached/memcached-operator.js';
import { eventually } from '../eventually.js';
import { keptPort } from '../kept-port.js';

/** The servers that Pods of the image would run; each Pod has an address of the loopback network. */
class Servers {
  readonly #cluster: InProcessCluster;
  readonly #running = new Map<string, { readonly child: ChildProcess; readonly host: string }>();
  #next = 2;

  constructor(cluster: InProcessCluster) {
    this.#cluster = cluster;
  }

  get names(): string[] {
    return [...this.#running.keys()].sort();
  }

  hostOf(pod: string): string {
    return this.#running.get(pod)?.host ?? '';
  }

  /** As kubelets do: what a Pod says is started, and what is left without a Pod is ended. */
  async follow(): Promise<void> {
    const pods = await this.#cluster.list(Pod, { namespace: this.#cluster.namespace });
    for (const pod of pods) if (!this.#running.has(pod.metadata.name)) await this.start(pod);
    for (const name of this.names) if (!pods.some(({ metadata }) => metadata.name === name)) await this.end(name, 'SIGTERM');
  }

  async start({ metadata: { name }, spec }: StoredOf<typeof Pod>): Promise<void> {
    const [{ command = [], ports = [] } = { command: [], ports: [] }] = spec?.containers ?? [];
    const host = this.#running.get(name)?.host ?? `127.0.0.${this.#next++}`;
    // Root must name the user that it becomes; an image does so itself.
    const user = userInfo().uid === 0 ? ['-u', 'nobody'] : [];
    const child = spawn(command[0] ?? '', [...command.slice(1), '-l', host, ...user], { stdio: 'ignore' });
    this.#running.set(name, { child, host });
    const listens = async (): Promise<boolean> => {
      const end = child.exitCode ?? child.signalCode;
      if (end !== null) throw new Error(`${command.join(' ')} ended with ${end}`);
      return answers(host, ports[0]?.containerPort ?? 0);
    };
    await eventually(listens, `${command.join(' ')} listens at the port of its container`);
  }

  async end(name: string, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { child } = this.#running.get(name) ?? {};
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    if (signal === 'SIGTERM') this.#running.delete(name);
  }

  async close(): Promise<void> {
    for (const name of this.names) await this.end(name, 'SIGKILL');
  }
}

async function answers(host: string, port: number): Promise<boolean> {
  return talk(host, port, 'version\r\n').then(
    (text) => text.startsWith('VERSION '),
    () => false,
  );
}

/** @returns what the server says to the commands, until it says END or a single line */
function talk(host: string, port: number, commands: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, host, () => socket.write(commands));
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (/(^VERSION .*|END)\r\n$/m.test(text)) socket.end(() => resolve(text));
    });
    socket.on('error', reject);
  });
}

const isThere = spawnSync('memcached', ['-V']).status === 0;
(isThere ? describe : describe.skip)(`real memcached servers${isThere ? '' : ' [skipped: there is no memcached on the PATH]'}`, () => {
  let cluster: InProcessCluster;
  let servers: Servers;
  let port: number;
  beforeAll(async () => {
    port = await keptPort();
    cluster = await TestCluster.start({ operator, workloads: true, namespace: 'shop' });
    servers = new Servers(cluster);
    await cluster.startOperator();
    await cluster.create(Memcached({ metadata: { name: 'real' }, spec: { size: 1, port, image: 'memcached:1.6' } }));
    await cluster.until(Memcached, 'real', { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
    await servers.follow();
  });
  afterAll(async () => {
    await servers?.close();
    await cluster?.close();
  });

  test('2C-14: it answers version, set and get on the port that the Memcached says', async () => {
    const [pod = ''] = servers.names;
    const said = await talk(servers.hostOf(pod), port, 'set a 0 0 5\r\nhello\r\nget a\r\n');
    expect(said).toBe('STORED\r\nVALUE a 0 5\r\nhello\r\nEND\r\n');
  });

  test('2C-5: 1, 3 and 1 again are so many servers', async () => {
    for (const size of [3, 1]) {
      await cluster.patch(Memcached, 'real', mergePatch({ spec: { size } }));
      await cluster.until(Memcached, 'real', { status: { replicas: size, conditions: [{ type: 'Ready', status: 'True' }] } });
      await cluster.settled();
      await servers.follow();
      const answered = await Promise.all(servers.names.map((name) => answers(servers.hostOf(name), port)));
      expect(answered).toEqual(Array.from({ length: size }, () => true));
      expect((await cluster.get(Memcached, 'real')).status?.nodes).toEqual(servers.names);
    }
  });

  test('2C-15: killed, it is restarted, and the status follows', async () => {
    const [pod = ''] = servers.names;
    await servers.end(pod, 'SIGKILL');
    expect(await answers(servers.hostOf(pod), port)).toBe(false);
    await cluster.pods.setReady(pod, false);
    await cluster.until(Memcached, 'real', { status: { conditions: [{ type: 'Available', status: 'False' }] } });
    await cluster.pods.crash(pod, { exitCode: 137 });
    await servers.start(await cluster.get(Pod, pod));
    await cluster.pods.setReady(pod, true);
    await cluster.until(Memcached, 'real', { status: { conditions: [{ type: 'Available', status: 'True' }] } });
    expect((await cluster.get(Pod, pod)).status?.containerStatuses?.[0]?.restartCount).toBe(1);
    expect(await answers(servers.hostOf(pod), port)).toBe(true);
  });
});
