import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Terminals } from '../../../../../src/api-server/workloads/processes/machine/index.js';
import { eventually } from '../../../../eventually.js';
import { bundled } from '../programs/bundled.js';

/** Ids of the processes of a Pod's containers. */
function processesOf(pod: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
        return variables.includes(`HOSTNAME=${pod}`) && variables.some((variable) => variable.startsWith('KUBERNETES_SERVICE_HOST='));
      } catch {
        // It has ended, or belongs to another user.
        return false;
      }
    })
    .map(Number);
}

/** @throws Error when the server that the condition depends on has ended */
async function until(condition: () => boolean, server?: ChildProcess): Promise<void> {
  await eventually(async () => {
    const end = server?.exitCode ?? server?.signalCode ?? undefined;
    if (condition()) return true;
    if (end !== undefined) throw new Error(`the server has ended with ${end} before: ${condition.toString()}`);
    return false;
  }, condition.toString());
}

const onLinux = process.platform === 'linux';
const hasTerminals = Terminals.find(process.env['PATH'] ?? '') !== undefined;
const lack = onLinux ? '' : ` [skipped: it reads /proc, which ${process.platform} lacks]`;

let place: string;
let program: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'keelson-killed-program-'));
  if (lack === '') program = bundled('killed-server.ts', place);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

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
    // Processes are found by the name of their Pod: tests that run beside this one have Pods, too.
    const pod = `killed-${randomUUID()}`;
    const server = spawn(process.execPath, [program, pod, argument], {
      env: { PATH: process.env['PATH'] ?? '', TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const folder = (): string | undefined => readdirSync(temporary).find((name) => name.startsWith('keelson-pods-'));
      await until(() => folder() !== undefined && logOf(join(temporary, folder() as string)).includes('ready'), server);
      // The child has no environment for the moment in which it becomes another program.
      let pids: readonly number[] = [];
      await until(() => {
        pids = processesOf(pod);
        return pids.length >= 2;
      }, server);
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
