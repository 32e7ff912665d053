import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InProcessCluster, processes, TestCluster } from '@keelson/testing';
import { Pod } from 'keelson/kinds';
import { Terminals } from '../../src/api-server/workloads/processes/machine/index.js';
import { DEADLINE_MS } from '../deadline.cjs';
import { describeCluster } from './harness/index.js';

/** Makes kubectl ask for SPDY alone. */
const SPDY = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false' };
/** Rows and columns. */
const SIZE = '33 101';
const OTHER_SIZE = '27 90';

/** kubectl on a terminal: somebody types, and reads what is there. */
interface Terminal {
  readonly text: () => string;
  readonly type: (keys: string) => void;
  readonly kill: () => void;
  readonly ended: Promise<number | null>;
}

// kubectl asks for a terminal only if it has one itself.
const terminals = Terminals.find(process.env['PATH'] ?? '');
const lack = terminals === undefined ? ' [skipped: script of util-linux or stty is not on the PATH]' : '';
const onTerminal = terminals === undefined ? test.skip : test;

describeCluster('Terminals of containers that are processes, and the real kubectl', (real) => {
  let cluster: InProcessCluster;
  let directory: string;
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'keelson-terminals-'));
    const containers = processes({ 'sh:*': ({ args }) => ({ program: '/bin/sh', args: ['-c', ...args] }) });
    cluster = await TestCluster.start({ workloads: { containers }, timeout: DEADLINE_MS });
    writeFileSync(join(directory, 'kubeconfig'), await cluster.kubeconfig());
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await cluster?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  function kubectl(args: readonly string[], env: Readonly<Record<string, string>> = {}, size = SIZE): Terminal {
    const [rows, columns] = size.split(' ');
    const all = ['--kubeconfig', 'kubeconfig', '--cache-dir', 'cache', ...args];
    const sized = ['-c', `stty rows ${rows} cols ${columns}; exec "$0" "$@"`, real.connection.kubectl, ...all];
    const variables = { HOME: directory, PATH: process.env['PATH'] ?? '', ...env };
    const command = (terminals as Terminals).on({ program: '/bin/sh', args: sized, env: variables, directory });
    const child = spawn(command.program, command.args, { ...command, cwd: directory, timeout: DEADLINE_MS, killSignal: 'SIGKILL' });
    children.push(child);
    let text = '';
    child.stdout.on('data', (chunk) => (text += String(chunk)));
    return {
      text: () => text,
      type: (keys) => child.stdin.write(keys),
      // `script` passes it on, and waits for kubectl.
      kill: () => child.kill('SIGTERM'),
      ended: new Promise((resolve) => child.once('close', resolve)),
    };
  }

  async function shell(name: string, script: string, container: object): Promise<void> {
    await cluster.create(Pod, {
      metadata: { name },
      spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'sh:1', stdin: true, args: [script], ...container }] },
    });
    await cluster.until(Pod, name, (pod) => pod.status?.containerStatuses?.[0]?.state?.running !== undefined);
  }

  onTerminal.each([
    ['a WebSocket', {}, 'get'],
    ['SPDY', SPDY, 'create'],
  ])(`kubectl attach -it over %s has the terminal of a container, and leaves it running${lack}`, async (_what, env, verb) => {
    const name = `shell-${verb}`;
    await shell(name, 'while read -r line; do echo "$(stty size): $line" >&2; [ "$line" != end ] || exit 3; done', { tty: true });
    const first = kubectl(['attach', '-it', name], env);
    // kubectl says its size when it is attached.
    await cluster.until(() => {
      if (!first.text().includes(`${SIZE}: one`)) first.type('one\r');
      return first.text().includes(`${SIZE}: one`);
    });
    expect(cluster.requests.filter({ subresource: 'attach' }).all.at(-1)).toMatchObject({ verb, code: 101 });
    first.kill();
    await first.ended;
    expect((await cluster.get(Pod, name)).status?.phase).toBe('Running');

    const second = kubectl(['attach', '-it', name], env, OTHER_SIZE);
    // kubectl says a size that is greater by one first, so that programs draw anew: the right size is the last.
    await cluster.until(() => {
      if (!second.text().includes(`${OTHER_SIZE}: two`)) second.type('two\r');
      return second.text().includes(`${OTHER_SIZE}: two`);
    });
    second.type('end\r');
    // The end of an attachment says nothing of the exit code.
    expect(await second.ended).toBe(0);
    // The terminal echoes a key when it is typed: answers to lines before it may come between.
    // kubectl says how to attach again, though the container has ended.
    expect(second.text()).toMatch(/\r\nend\r\n[\s\S]*27 90: end\r\n(?:Session ended, resume using .*\r?\n)?$/);
    await cluster.until(Pod, name, { status: { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 3 } } }] } });
    expect(await cluster.logsOf(name)).toMatch(/^one\r\n[\s\S]*33 101: one\r\n[\s\S]*two\r\n[\s\S]*end\r\n[\s\S]*27 90: end\r\n$/);
  });

  onTerminal(`kubectl run -it makes a container with a terminal, and ends with its exit code${lack}`, async () => {
    const script = 'tty; while read -r line; do echo "got $line" >&2; [ "$line" != end ] || exit 3; done';
    const run = kubectl(['run', 'run', '-it', '--rm', '--restart=Never', '--image=sh:1', '--', script]);
    await cluster.until(() => {
      if (!run.text().includes('got one')) run.type('one\r');
      return run.text().includes('got one');
    });
    // The terminal echoes lines that are typed before the program has written its first.
    expect(await cluster.logsOf('run')).toMatch(/^(?:one\r\n)*\/dev\/pts\/\d+\r\n/);
    run.type('end\r');
    expect([await run.ended, run.text()]).toEqual([3, expect.stringContaining('pod default/run terminated (Error)')]);
    expect(await cluster.list(Pod)).not.toContainEqual(expect.objectContaining({ metadata: expect.objectContaining({ name: 'run' }) }));
  });

  onTerminal(`kubectl attach -it of a container without a terminal has none, and says so${lack}`, async () => {
    await shell('plain', 'read -r line; echo "got $line"; tty', { stdinOnce: true });
    const attached = kubectl(['attach', '-it', 'plain']);
    await cluster.until(() => cluster.requests.filter({ subresource: 'attach', name: 'plain' }).length > 0);
    attached.type('one\r');
    expect(await attached.ended).toBe(0);
    expect(attached.text()).toContain('error: Unable to use a TTY - container main did not allocate one\r\n');
    expect(attached.text()).toMatch(/got one\r\nnot a tty\r\n$/);
  });
});
