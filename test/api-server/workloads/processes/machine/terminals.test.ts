import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Supervisor, Terminals } from '../../../../../src/api-server/workloads/processes/machine/index.js';
import { DEADLINE_MS } from '../../../../deadline.cjs';
import { Machine, pod } from '../machine.js';
import { RESIZE, Session, STDIN } from '../session.js';

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.start();
  await machine.create(pod());
  await machine.until(() => machine.state() === 'running');
});
afterEach(() => machine.close());

/** A command on a terminal. */
function exec(...command: readonly string[]): Session {
  const words = command.map((word) => `command=${encodeURIComponent(word)}`).join('&');
  return new Session(machine, `a/exec?stdin=true&stdout=true&tty=true&${words}`);
}

const isPossible = Terminals.find(process.env['PATH'] ?? '') !== undefined;
const title = `commands on a terminal${isPossible ? '' : ' [skipped: script of util-linux or stty is not on the PATH]'}`;
(isPossible ? describe : describe.skip)(title, () => {
  test('have its size, see what is typed, and end with their exit code', async () => {
    const session = exec(
      'sh',
      '-c',
      'tty; until [ "$(stty size)" = "33 101" ]; do sleep 0.05; done; read -r name; echo "hello $name"; exit 3',
    );
    await session.opened();
    session.send(RESIZE, '{"Width":80,"Height":24}\n');
    session.send(RESIZE, '{"Width":101,"Height":33}\n');
    session.send(STDIN, "it's me\r");
    await machine.until(() => session.status !== undefined);
    expect(session.output).toMatch(/\/dev\/pts\/\d+\r\n/);
    expect(session.output).toContain("it's me\r\n");
    expect(session.output).toMatch(/hello it's me\r\n$/);
    expect(session.status).toMatchObject({ reason: 'NonZeroExitCode', details: { causes: [{ reason: 'ExitCode', message: '3' }] } });
  });

  test("have the container's variables, arguments as they are, and errors among their output", async () => {
    const script = 'echo "$TERM|$HOSTNAME|$(printenv SHELL || echo none)|$1" >&2';
    const session = exec('sh', '-c', script, 'sh', `a 'quoted' "word" $HOME`);
    await machine.until(() => session.status !== undefined);
    expect(session.output).toBe(`xterm|a|none|a 'quoted' "word" $HOME\r\n`);
    expect(session.status).toMatchObject({ status: 'Success' });
  });

  test('are interrupted by the key for it', async () => {
    const session = exec('sh', '-c', 'trap "echo interrupted; exit 0" INT; echo ready; while :; do sleep 0.05; done');
    await machine.until(() => session.output.includes('ready'));
    session.send(STDIN, '\u0003');
    await machine.until(() => session.status !== undefined);
    expect(session.output).toContain('interrupted\r\n');
  });

  test.each([
    { what: '', script: 'echo "pid $$."; while :; do sleep 0.05; done' },
    { what: ', deaf to the hang-up', script: 'trap "" HUP; echo "pid $$."; while :; do sleep 0.05; done' },
  ])('end when the client has gone$what', async ({ script }) => {
    const session = exec('sh', '-c', script);
    const pid = await machine.until(() => /pid (\d+)\./.exec(session.output)?.[1]);
    session.leave();
    await machine.until(() => hasEnded(Number(pid)));
  });

  test('end when they are killed before anybody has looked for their session', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'keelson-terminal-'));
    const supervisor = new Supervisor(directory);
    const child = Terminals.find(process.env['PATH'] ?? '')?.start(
      supervisor,
      {
        program: '/bin/sh',
        args: ['-c', 'trap "" HUP; echo "$$." > pid; while :; do sleep 0.05; done'],
        env: { PATH: process.env['PATH'] ?? '' },
        directory,
      },
      {},
    );
    // Timers of this process must not fire between the program's start and its end.
    const pid = waitedFor(() => /^(\d+)\.$/m.exec(readFileSync(join(directory, 'pid'), 'utf8'))?.[1]);
    child?.signal('SIGKILL');
    await machine.until(() => hasEnded(Number(pid)));
    await supervisor.finish();
  });
});

function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Blocks until there is an answer; files that are not there yet give none. */
function waitedFor(answer: () => string | undefined): string {
  for (const deadline = performance.now() + DEADLINE_MS; performance.now() < deadline; ) {
    try {
      const found = answer();
      if (found !== undefined) return found;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error('there was no answer');
}

test('where the programs for a terminal are missing, a command on one is refused with the way out', async () => {
  const { PATH } = process.env;
  const empty = mkdtempSync(join(tmpdir(), 'keelson-path-'));
  process.env['PATH'] = empty;
  try {
    expect(await exec('ls').refusal()).toBe(
      'a terminal for this command is not possible: the programs script (of util-linux) and stty are not in the PATH of the server; ' +
        'install them, or leave out --tty (-t): --stdin (-i) is possible',
    );
  } finally {
    process.env['PATH'] = PATH;
    rmSync(empty, { recursive: true });
  }
});
