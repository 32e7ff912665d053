import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Site } from './site.js';

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/**
 * The shell that owns what a node has of the machine (namespaces, a network link, routes, cgroups, kernel settings) and takes it back when the process that
 * started it is gone. See guardian.sh.
 */
export class NodeGuardian {
  /** The first process of the node: `nsenter --target` enters its namespaces. */
  readonly initPid: number;
  readonly #shell: ChildProcess;

  private constructor(shell: ChildProcess, initPid: number) {
    this.#shell = shell;
    this.initPid = initPid;
  }

  /** @returns undefined if the slot is taken. @throws Error with the shell's output when the node cannot be made here */
  static async start(site: Site): Promise<NodeGuardian | undefined> {
    // Detached: an interrupt from the terminal goes to the foreground group, and must not take the guardian first.
    const shell = spawn('/bin/sh', [file('guardian.sh')], { env: environmentOf(site), detached: true, stdio: 'pipe' });
    let [output, problems] = ['', ''];
    shell.stderr.setEncoding('utf8').on('data', (text: string) => {
      problems += text;
    });
    for await (const text of shell.stdout.setEncoding('utf8') as AsyncIterable<string>) {
      output += text;
      if (output.endsWith('\n')) break;
    }
    const [, pid] = /^node (\d+)\n/.exec(output) ?? [];
    if (pid !== undefined) {
      const streams = [shell.stdin, shell.stdout, shell.stderr] as unknown as { unref(): void }[];
      for (const part of [shell, ...streams]) part.unref();
      return new NodeGuardian(shell, Number(pid));
    }
    shell.stdin.end();
    if (shell.exitCode === null) await once(shell, 'exit');
    if (output === 'busy\n') return undefined;
    throw new Error(`the namespaces of a node cannot be made here:\n${problems.trimEnd()}`);
  }

  /** Ends every process of the node and takes back what it had. May be called again. */
  async finish(): Promise<void> {
    this.#shell.stdin?.end();
    await this.ended();
  }

  /** Resolves when nothing of the node is left; until then this process goes on. */
  async ended(): Promise<void> {
    this.#shell.ref();
    if (this.#shell.exitCode === null && this.#shell.signalCode === null) await once(this.#shell, 'exit');
  }
}

function environmentOf(site: Site): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME_DIR: site.home,
    DIRECTORY: site.directory,
    LINK: site.link,
    MACHINE_ADDRESS: site.machineAddress,
    NODE_ADDRESS: site.nodeAddress,
    NODE_RANGE: site.nodeRange,
    POD_RANGE: site.podRange,
    SERVICE_RANGE: site.serviceRange,
    CGROUP: site.cgroup,
    INIT: file('init.sh'),
  };
}
