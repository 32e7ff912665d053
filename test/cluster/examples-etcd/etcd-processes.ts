import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EtcdRig } from '../../../examples/etcd/client/client-cases.js';
import { createEtcdGateway } from '../../../examples/etcd/client/gateway.js';
import { Guardian } from '../../../src/testing/cluster/control-plane/index.js';
import { DEADLINE_MS } from '../../deadline.cjs';
import { freePorts } from '../harness/index.js';

interface Member {
  readonly directory: string;
  readonly clientUrl: string;
  readonly peerUrl: string;
  process: ChildProcess | undefined;
}

export interface EtcdPrograms {
  readonly etcd: string;
  readonly etcdutl: string;
}

/** Members on free ports of this machine. However the test's process ends, so do they, and their data are removed. */
export class EtcdProcesses implements EtcdRig {
  readonly etcd = createEtcdGateway();
  readonly #programs: EtcdPrograms;
  readonly #directory: string;
  readonly #guardian: Guardian;
  readonly #members: ReadonlyMap<string, Member>;

  static async create(programs: EtcdPrograms, names: readonly string[]): Promise<EtcdProcesses> {
    const ports = await freePorts(names.length * 2);
    const directory = mkdtempSync(join(tmpdir(), 'keelson-etcd-'));
    const members = names.map((name, index) => {
      const [client, peer] = [ports[index * 2], ports[index * 2 + 1]];
      const member: Member = {
        directory: join(directory, name),
        clientUrl: `http://127.0.0.1:${client}`,
        peerUrl: `http://127.0.0.1:${peer}`,
        process: undefined,
      };
      return [name, member] as const;
    });
    return new EtcdProcesses(programs, directory, new Map(members));
  }

  private constructor(programs: EtcdPrograms, directory: string, members: ReadonlyMap<string, Member>) {
    this.#programs = programs;
    this.#directory = directory;
    this.#guardian = new Guardian(directory);
    this.#members = members;
  }

  clientUrlOf = (name: string): string => this.#of(name).clientUrl;
  peerUrlOf = (name: string): string => this.#of(name).peerUrl;

  start = async (name: string, { cluster, state }: Parameters<EtcdRig['start']>[1]): Promise<void> => {
    const initial = cluster.map((member) => `${member}=${this.peerUrlOf(member)}`).join();
    await this.#spawn(name, [`--initial-cluster=${initial}`, `--initial-cluster-state=${state}`]);
  };

  async kill(name: string): Promise<void> {
    const { process } = this.#of(name);
    if (process === undefined) return;
    process.kill('SIGKILL');
    await ended(process);
  }

  hang(name: string): void {
    this.#of(name).process?.kill('SIGSTOP');
  }

  goOn(name: string): void {
    this.#of(name).process?.kill('SIGCONT');
  }

  async wipe(name: string): Promise<void> {
    await rm(this.#of(name).directory, { recursive: true });
  }

  async exitCode(name: string): Promise<number> {
    const { process } = this.#of(name);
    if (process === undefined) throw new Error(`${name} was not started`);
    return ended(process);
  }

  async restore(name: string, snapshot: Uint8Array): Promise<void> {
    const { directory, peerUrl } = this.#of(name);
    const file = join(this.#directory, `${name}.db`);
    writeFileSync(file, snapshot);
    const args = ['snapshot', 'restore', file, '--name', name, '--data-dir', directory, '--initial-cluster', `${name}=${peerUrl}`];
    const logFile = join(this.#directory, 'restore.log');
    const log = openSync(logFile, 'w');
    const restoring = spawn(
      this.#programs.etcdutl,
      [...args, '--initial-advertise-peer-urls', peerUrl, '--initial-cluster-token', 'restored'],
      {
        stdio: ['ignore', log, log],
        timeout: DEADLINE_MS,
      },
    );
    closeSync(log);
    if ((await ended(restoring)) !== 0) throw new Error(readFileSync(logFile, 'utf8'));
    await this.#spawn(name, []);
  }

  logOf(name: string): string {
    return readFileSync(join(this.#directory, `${name}.log`), 'utf8').slice(-4_000);
  }

  async close(): Promise<void> {
    await this.#guardian.finish();
  }

  async #spawn(name: string, args: readonly string[]): Promise<void> {
    const member = this.#of(name);
    const { directory, clientUrl, peerUrl } = member;
    const log = openSync(join(this.#directory, `${name}.log`), 'a');
    const all = [
      `--name=${name}`,
      `--data-dir=${directory}`,
      `--listen-client-urls=${clientUrl}`,
      `--advertise-client-urls=${clientUrl}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      // What a killed process wrote is with the kernel. A slow disk would let a leader miss its heartbeats.
      '--unsafe-no-fsync',
      ...args,
    ];
    const process = spawn(this.#programs.etcd, all, { stdio: ['ignore', log, log] });
    closeSync(log);
    const { pid } = process;
    if (pid === undefined) throw new Error(`${this.#programs.etcd} cannot be started`);
    this.#guardian.guard(pid);
    process.once('exit', () => this.#guardian.forget(pid));
    member.process = process;
  }

  #of(name: string): Member {
    const member = this.#members.get(name);
    if (member === undefined) throw new Error(`no member is called ${name}`);
    return member;
  }
}

function ended(process: ChildProcess): Promise<number> {
  const code = (): number => process.exitCode ?? 137;
  if (process.exitCode !== null || process.signalCode !== null) return Promise.resolve(code());
  return new Promise((resolve, reject) => {
    process.once('exit', () => resolve(code()));
    process.once('error', reject);
  });
}
