import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Terminals } from '../../../../../src/api-server/workloads/processes/machine/index.js';

const SERVER = join(__dirname, '../programs/killed-server.ts');

/** Ids of the processes that have this word in their environment. */
function processesWith(word: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(word) || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
      } catch {
        // It has ended, or belongs to another user.
        return false;
      }
    })
    .map(Number);
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`not met: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const onLinux = process.platform === 'linux';
const hasTerminals = Terminals.find(process.env['PATH'] ?? '') !== undefined;
const lack = onLinux ? '' : ` [skipped: it reads /proc, which ${process.platform} lacks]`;

describe.each([
  { what: '', lack },
  {
    what: ' on a terminal',
    argument: 'terminal',
    lack: hasTerminals ? lack : ' [skipped: script of util-linux or stty is not on the PATH]',
  },
])('when a server is killed', ({ what, argument = '', lack }) => {
  (lack === '' ? test : test.skip)(`no process of a Pod${what} outlives it, and no folder${lack}`, async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'keelson-killed-'));
    const server = spawn(process.execPath, ['--import', 'tsx', SERVER, argument], {
      env: { PATH: process.env['PATH'] ?? '', TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const folder = (): string | undefined => readdirSync(temporary).find((name) => name.startsWith('keelson-pods-'));
      const running = (): readonly number[] =>
        processesWith('HOSTNAME=a').filter((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8').includes('KUBERNETES_SERVICE_HOST'));
      await until(() => folder() !== undefined && logOf(join(temporary, folder() as string)).includes('ready'));
      const pids = running();
      expect(pids.length).toBeGreaterThanOrEqual(2);
      server.kill('SIGKILL');
      await until(() => pids.every((pid) => !existsSync(`/proc/${pid}`)));
      await until(() => folder() === undefined);
    } finally {
      server.kill('SIGKILL');
      rmSync(temporary, { recursive: true, force: true });
    }
  });
});

/** All logs below the folder of a server. */
function logOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.log'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('');
}
