import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProgramOf } from '../../../../src/api-server/workloads/index.js';
import { Terminals } from '../../../../src/api-server/workloads/processes/machine/index.js';
import { Machine, pod } from './machine.js';
import { RESIZE, Session, STDIN } from './session.js';

const shell: ProgramOf = ({ args }) => ({ program: '/bin/sh', args: ['-c', ...args] });
const bash: ProgramOf = ({ args }) => ({ program: 'bash', args: ['-c', ...args] });
const ATTACHED = 'a/attach?stdin=true&stdout=true&tty=true';

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.start({ 'sh:*': shell, 'bash:*': bash });
});
afterEach(() => machine.close());

/** A Pod with one container on a terminal. */
const onTerminal = (script: string, more: object = {}): object =>
  pod({ restartPolicy: 'Never', containers: [{ name: 'main', image: 'sh:1', stdin: true, tty: true, args: [script], ...more }] });

async function started(script: string, more: object = {}): Promise<void> {
  await machine.create(onTerminal(script, more));
  await machine.until(() => machine.state() === 'running');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** The first group of the pattern, as soon as the log has it. */
async function logged(pattern: RegExp): Promise<string> {
  let text = '';
  await machine.until(async () => {
    text = await machine.pods.logsOf('a');
    return pattern.test(text);
  });
  return pattern.exec(text)?.[1] ?? '';
}

const isPossible = Terminals.find(process.env['PATH'] ?? '') !== undefined;
const title = `containers that declare a terminal${isPossible ? '' : ' [skipped: script of util-linux or stty is not on the PATH]'}`;
(isPossible ? describe : describe.skip)(title, () => {
  test('have the size of the client, show it what it types, and keep all of that in their log', async () => {
    await started('tty; until [ "$(stty size)" = "33 101" ]; do sleep 0.05; done; read -r name; echo "hello $name" >&2; exit 3');
    const session = new Session(machine, ATTACHED);
    await session.opened();
    // Before a program has written its first line its terminal may not be set up yet; and one that is shows what is typed before that line.
    await logged(/^(\/dev\/pts\/\d+)\r\n/);
    session.send(RESIZE, '{"Width":80,"Height":24}\n');
    session.send(RESIZE, '{"Width":101,"Height":33}\n');
    session.send(STDIN, "it's me\r");
    await machine.until(() => session.status !== undefined);
    expect(session.output).toMatch(/it's me\r\nhello it's me\r\n$/);
    // The end of an attachment says nothing of the exit code.
    expect(session.status).toEqual({ metadata: {}, status: 'Success' });
    await machine.until(() => machine.state() === 'terminated Error 3');
    expect(await machine.pods.logsOf('a')).toMatch(/^\/dev\/pts\/\d+\r\nit's me\r\nhello it's me\r\n$/);
  });

  test('go on when a client leaves, or ends its input, stdinOnce or not', async () => {
    await started('while read -r line; do echo "got $line"; done', { stdinOnce: true });
    const first = new Session(machine, ATTACHED);
    await first.opened();
    first.send(STDIN, 'one\r');
    await machine.until(() => first.output.includes('got one'));
    first.leave();
    const second = new Session(machine, ATTACHED);
    await second.opened();
    second.endInput();
    await machine.until(() => second.status !== undefined);
    expect(second.status).toEqual({ metadata: {}, status: 'Success' });
    const third = new Session(machine, ATTACHED);
    await third.opened();
    third.send(STDIN, 'two\r');
    await machine.until(() => third.output.includes('got two'));
    expect(machine.state()).toBe('running');
    // The key that ends the input of a program on a terminal.
    third.send(STDIN, '\u0004');
    await machine.until(() => machine.state() === 'terminated Completed 0');
    await machine.until(() => third.status !== undefined);
  });

  test('that declare no input wait for some for ever, and refuse that of a client', async () => {
    await started('timeout --foreground 0.5 cat; echo "code $?"; sleep 1000', { stdin: false });
    expect(await new Session(machine, ATTACHED).refusal()).toBe(
      'container "main" in pod "a" has no input: declare stdin: true in its spec',
    );
    expect(await logged(/code (\d+)/)).toBe('124');
  });

  test('refuse a client that wants their errors apart', async () => {
    await started('sleep 1000');
    expect(await new Session(machine, 'a/attach?stdout=true&stderr=true').refusal()).toBe(
      'tty and stderr cannot both be true: container "main" in pod "a" has a terminal (tty: true), ask for it with --stdin --tty (-it)',
    );
  });

  test('get the signals of their end', async () => {
    await started('trap "echo asked to end; exit 7" TERM; echo ready; while :; do sleep 0.05; done');
    await logged(/ready/);
    await machine.pods.signal('a', 'SIGTERM');
    await machine.until(() => machine.state() === 'terminated Error 7');
    // The shell may tell of its own child before: the signal is for all processes of the container.
    expect(await machine.pods.logsOf('a')).toMatch(/^ready\r\n(.*\r\n)?asked to end\r\n$/);
  });

  test('are stopped, and go on, however soon', async () => {
    await started('n=0; while :; do n=$((n + 1)); echo "at $n"; sleep 0.02; done');
    await logged(/at 1\r/);
    for (let round = 0; round < 3; round += 1) {
      await machine.pods.signal('a', 'SIGSTOP');
      await machine.pods.signal('a', 'SIGCONT');
    }
    const [last = '0'] = (await machine.pods.logsOf('a')).match(/\d+(?=\r\n$)/) ?? [];
    await logged(new RegExp(`at ${Number(last) + 20}\\r`));
  });

  test('take the jobs of their shell with them, those that a hang-up does not end among them', async () => {
    // Each job has a process group of its own.
    await started('set -m; trap "" HUP; sleep 1000 & echo "job $!."; echo "shell $BASHPID."; wait', { image: 'bash:5' });
    const pids = [Number(await logged(/job (\d+)\./)), Number(await logged(/shell (\d+)\./))];
    expect(pids.map(isAlive)).toEqual([true, true]);
    const groups = spawnSync('ps', ['-o', 'pgid=', '-p', pids.join(',')], { encoding: 'utf8' })
      .stdout.trim()
      .split(/\s+/);
    expect(new Set(groups).size).toBe(2);
    await machine.pods.signal('a', 'SIGKILL');
    await machine.until(() => machine.state() === 'terminated Error 137');
    await machine.until(() => !pids.some(isAlive));
  });
});

test('where the programs for a terminal are missing, a container that declares one waits, and says why and the way out', async () => {
  const { PATH } = process.env;
  const empty = mkdtempSync(join(tmpdir(), 'keelson-path-'));
  process.env['PATH'] = empty;
  try {
    await machine.create(onTerminal('sleep 1000'));
    await machine.until(() => machine.state() === 'waiting CreateContainerError');
    expect(machine.pod().status?.containerStatuses?.[0]?.state?.waiting?.message).toBe(
      'container "main": a terminal (tty: true) is not possible: the programs script (of util-linux) and stty are not in the PATH of the server; ' +
        'install them, or leave out tty: true',
    );
  } finally {
    process.env['PATH'] = PATH;
    rmSync(empty, { recursive: true });
  }
});
