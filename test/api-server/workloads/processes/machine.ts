import { join } from 'node:path';
import type { ApiServerOptions } from '../../../../src/api-server/server/index.js';
import { type NamesChoice, type PodControls, type ProgramOf, processes } from '../../../../src/api-server/workloads/index.js';
import type { Pod } from '../../../../src/kubernetes/kinds/index.js';
import { eventually } from '../../../eventually.js';
import { World, type Written } from '../../controllers/world.js';

const PROGRAM = join(__dirname, 'programs', 'server.cjs');

/** The image of tests: its arguments say what it does. */
const node: ProgramOf = ({ args, local, mounts, pod: { metadata } }) => {
  seenMounts.set(metadata.name, Object.fromEntries(mounts.map(({ mountPath, path }) => [mountPath, path])));
  return { program: process.execPath, args: [PROGRAM, ...args.map(local)] };
};

/** Folders by mount path, of the Pods that ran last. */
const seenMounts = new Map<string, Readonly<Record<string, string>>>();

interface MachineOptions extends Partial<ApiServerOptions> {
  readonly folder?: string;
  readonly names?: NamesChoice;
  readonly nodes?: number;
}

/** A server whose Pods are processes, on a clock that stands still: processes themselves take their real time. */
export class Machine {
  readonly world: World;

  private constructor(world: World) {
    this.world = world;
  }

  static async start(
    programs: Readonly<Record<string, ProgramOf>> = { 'node:*': node },
    { folder, names, nodes = 1, ...options }: MachineOptions = {},
  ): Promise<Machine> {
    const containers = processes(programs, { folder, names });
    return new Machine(await World.start({ workloads: { containers, nodes }, ...options }));
  }

  async create(...objects: readonly object[]): Promise<void> {
    for (const object of objects) await this.world.create(object as Written);
  }

  /** The text at a path of a container that serves. */
  async fetched(path: string, name = 'a'): Promise<string> {
    const answer = await fetch(`http://${this.pod(name).status?.podIP}:8080${path}`);
    return answer.text();
  }

  /** The same, as soon as the container serves. */
  async answered(path: string): Promise<string> {
    let text: string | undefined;
    await this.until(async () => {
      text = await this.fetched(path).catch(() => undefined);
      return text;
    });
    return text ?? '';
  }

  /** `running`, `waiting CrashLoopBackOff`, `terminated Error 3`, of the first container or that of this name. */
  state(container = 'main', name = 'a'): string {
    const { containerStatuses = [], initContainerStatuses = [] } = this.pod(name).status ?? {};
    const { running, waiting, terminated } =
      [...containerStatuses, ...initContainerStatuses].find((one) => one.name === container)?.state ?? {};
    if (running !== undefined) return 'running';
    if (waiting !== undefined) return `waiting ${waiting.reason}`;
    return terminated === undefined ? 'unknown' : `terminated ${terminated.reason} ${terminated.exitCode}`;
  }

  mountsOf(name: string): Readonly<Record<string, string>> {
    return seenMounts.get(name) ?? {};
  }

  get pods(): PodControls {
    return this.world.server.pods;
  }

  pod(name = 'a'): Pod {
    return this.world.must<Pod>('pods', `default/${name}`);
  }

  /** With `passing`, a second of the server's time passes at each look. A condition that fails is not met yet. */
  async until<T>(condition: () => T | Promise<T>, { passing = false }: { readonly passing?: boolean } = {}): Promise<T> {
    let isFirst = true;
    const look = async (): Promise<{ readonly answer: T } | undefined> => {
      if (passing && !isFirst) this.world.clock.advance('1s');
      isFirst = false;
      const answer = await condition();
      return answer === false || answer === undefined ? undefined : { answer };
    };
    return (await eventually(look, condition.toString(), () => true)).answer;
  }

  async close(): Promise<void> {
    await this.world.close();
    expect(this.world.problems).toEqual([]);
  }
}

export const pod = (spec: object = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'default', ...metadata },
  spec: { terminationGracePeriodSeconds: 5, containers: [main()], ...spec },
});

export const main = (args: readonly string[] = ['serve', '0.0.0.0'], more: object = {}): object => ({
  name: 'main',
  image: 'node:20',
  args,
  ...more,
});

export const configMap = (data: object): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'default' },
  data,
});

export const secret = (stringData: object): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'keys', namespace: 'default' },
  stringData,
});
