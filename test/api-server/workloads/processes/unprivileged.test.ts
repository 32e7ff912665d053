import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEADLINE_MS } from '../../../deadline.cjs';
import { bundled } from './programs/bundled.js';

/** `nobody` of most systems; it need not be known to this one. */
const OTHER = 65534;
const LOWEST_PORT = '/proc/sys/net/ipv4/ip_unprivileged_port_start';

const own = process.getuid?.() ?? -1;
/** Whoever is root becomes somebody else; all others are unprivileged themselves. */
const user = own === 0 ? { uid: OTHER, gid: OTHER } : {};

/** Why the program cannot run as that user; empty: it can. */
function lack(): string {
  if (process.platform !== 'linux') return 'other addresses of 127.0.0.0/8 than 127.0.0.1 need Linux';
  const { status } = spawnSync(process.execPath, ['--version'], { ...user, cwd: '/' });
  return status === 0 ? '' : `user ${OTHER} may not run ${process.execPath}`;
}

const why = lack();
let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'keelson-unprivileged-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** All that the program needs in one folder, since the checkout may belong to root alone. */
function laidOut(): { readonly program: string; readonly temporary: string } {
  const program = bundled('unprivileged.ts', place);
  copyFileSync(join(__dirname, 'programs/server.cjs'), join(place, 'server.cjs'));
  chmodSync(place, 0o755);
  const temporary = join(place, 'temporary');
  mkdirSync(temporary);
  chmodSync(temporary, 0o777);
  return { program, temporary };
}

(why === '' ? test : test.skip)(`Pods run as processes of a user who is not root${why === '' ? '' : ` [skipped: ${why}]`}`, () => {
  const { program, temporary } = laidOut();
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, place], {
    ...user,
    cwd: place,
    env: { PATH: process.env['PATH'] ?? '', TMPDIR: temporary, HOME: temporary },
    encoding: 'utf8',
    timeout: DEADLINE_MS,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const report = JSON.parse(stdout) as Record<string, unknown> & { readonly pid: number };
  expect(report).toEqual({
    address: expect.stringMatching(/^127\.(?!0\.0\.1$)/),
    word: 'xyzzy',
    // As it is outside: in a user namespace of its own the Pod would be root there.
    user: own === 0 ? OTHER : own,
    log: expect.stringMatching(/^listening on 127\./),
    lackOfNames: expect.any(String),
    name: report['lackOfNames'] === '' ? JSON.stringify([report['service']]) : 'ENOTFOUND',
    service: expect.stringMatching(/^127\./),
    events: mayListenAt(80) ? [] : [expect.stringContaining('80')],
    pid: expect.any(Number),
  });
  expect(existsSync(`/proc/${report.pid}`)).toBe(false);
});

function mayListenAt(port: number): boolean {
  return Number(readFileSync(LOWEST_PORT, 'utf8')) <= port;
}
