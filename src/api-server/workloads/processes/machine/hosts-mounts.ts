import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './find-program.js';
import type { Command } from './supervisor.js';

/**
 * Runs in the new namespace, and becomes the command that follows. Its own arguments are `mount` and the hosts file. Without `-n`, root's `mount` makes a folder of the
 * machine for its notes.
 */
const ENTER = `
"$1" -n -o bind "$2" /etc/hosts || { echo "keelson: the hosts file of this Pod could not be mounted: its program is not started" >&2; exit 125; }
shift 2; unset PWD; exec "$@"
`;

/** Shows the first line of the hosts file and, where there is \`getent\`, what the resolver makes of the name in it. */
const LOOK = 'read -r line < /etc/hosts && echo "$line"; [ -z "$1" ] || "$1" hosts "$2"';
const TRIED_NAME = 'names.keelson.invalid';
const TRIED_ADDRESS = '127.15.0.1';
const TRIED_WITHIN_MS = 10_000;

/** Ways to give programs a hosts file of their own, or the reason why this machine has no such way. */
export type HostsMountsFound = { readonly mounts: HostsMounts } | { readonly lack: string };

interface Tools {
  readonly unshare: string;
  readonly mount: string;
}

/**
 * Programs that see another file as `/etc/hosts`: each is started in a mount namespace of its own, which ends with it. Nothing else of the machine looks otherwise to them.
 *
 * Assumptions: Linux with `unshare` and `mount`. The user is root, or may make user namespaces. Such a user has to be root of a first namespace to mount; the program runs
 * in a second one, in which it is the user again: programs that refuse root run, and their files have their owner.
 */
export class HostsMounts {
  /** By the search path: the answer of a machine does not change while a process runs. */
  static readonly #found = new Map<string, HostsMountsFound>();
  readonly #tools: Tools;

  private constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** Tries it once for each search path: permissions of a machine are too many to be asked for one by one. */
  static find(path: string): HostsMountsFound {
    const known = HostsMounts.#found.get(path);
    if (known !== undefined) return known;
    const found = HostsMounts.#sought(path);
    HostsMounts.#found.set(path, found);
    return found;
  }

  static #sought(path: string): HostsMountsFound {
    const unshare = findProgram('unshare', path, '/');
    const mount = findProgram('mount', path, '/');
    if (unshare === undefined || mount === undefined)
      return { lack: 'the programs unshare and mount (of util-linux) are not in the PATH of the server; install them' };
    const mounts = new HostsMounts({ unshare, mount });
    const lack = mounts.#tried(findProgram('getent', path, '/'));
    return lack === undefined ? { mounts } : { lack };
  }

  /** The command as it is to be started. @param hosts the file that it sees as `/etc/hosts` */
  entered(command: Command, hosts: string): Command {
    const { unshare, mount } = this.#tools;
    const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
    const isRoot = user === 0;
    // Mounts of the machine are seen as they come and go; none of the program's reaches the machine.
    const namespaces = [...(isRoot ? [] : ['--user', '--map-root-user']), '--mount', '--propagation', 'slave'];
    const back = isRoot ? [] : [unshare, '--user', `--map-user=${user}`, `--map-group=${group}`];
    return {
      ...command,
      program: unshare,
      args: [...namespaces, '/bin/sh', '-c', ENTER, 'keelson-hosts', mount, hosts, ...back, command.program, ...command.args],
    };
  }

  /** @returns why it does not work; undefined: it does */
  #tried(getent: string | undefined): string | undefined {
    const directory = mkdtempSync(join(tmpdir(), 'keelson-hosts-'));
    try {
      const hosts = join(directory, 'hosts');
      const line = `${TRIED_ADDRESS} ${TRIED_NAME}`;
      writeFileSync(hosts, `${line}\n`);
      const look = { program: '/bin/sh', args: ['-c', LOOK, 'keelson-look', getent ?? '', TRIED_NAME], env: {}, directory };
      const { program, args } = this.entered(look, hosts);
      const { stdout, stderr, error } = spawnSync(program, args, { cwd: directory, env: {}, encoding: 'utf8', timeout: TRIED_WITHIN_MS });
      if (error !== undefined || !stdout.startsWith(line)) return lackOfRights(error?.message ?? firstLine(stderr));
      const isResolved = getent === undefined || stdout.slice(line.length).includes(TRIED_ADDRESS);
      return isResolved
        ? undefined
        : 'the resolver of this machine does not look into /etc/hosts first: see the line "hosts:" in /etc/nsswitch.conf, and stop nscd';
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

function lackOfRights(said: string): string {
  return `this user may not mount a file over /etc/hosts in a namespace (${said}); run as root, or on a machine that lets users make user namespaces`;
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';
