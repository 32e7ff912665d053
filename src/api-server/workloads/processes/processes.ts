import type { Pod } from '@keelson/kubernetes/kinds';
import type { ContainerOfPod, Program } from './container/index.js';
import { ProcessesError } from './errors.js';
import { findByImage } from './images.js';
import { NAMES_CHOICES, type NamesChoice } from './names/index.js';

/**
 * Chooses the program for a container. A text is the program of that path or name, with the container's `args` as they read on this machine (`local`); its
 * `command` is then the image's own entry point and left out. `'simulated'`: no program runs, and the container is taken to run, or to end well.
 */
export type ProgramOf = string | ((container: ContainerOfPod) => Program | 'simulated' | Promise<Program | 'simulated'>);

export interface ProcessesOptions {
  /**
   * Folder of volumes and logs. PersistentVolumes in it outlive the server. Default: `pods` in the server's data folder, without one a temporary folder, which
   * goes when the server ends, in whatever way.
   */
  readonly folder?: string | undefined;
  /** Most bytes that the log of one container may have on disk; the oldest half goes first. Default 10 MiB. */
  readonly maxLogBytes?: number | undefined;
  /**
   * Whether programs resolve the names of Services, and of Pods behind headless ones. That needs Linux with `unshare` and `mount` of util-linux, and a server that runs as
   * root or may make user namespaces. `if-possible`: where the machine lets ({@link lackOfNames} says why it does not). `required`: the server does not start elsewhere.
   * `never`: as if no machine let. Default `if-possible`.
   */
  readonly names?: NamesChoice | undefined;
}

/** Which programs run for which images: what {@link processes} returns. */
export interface Processes {
  readonly programs: ReadonlyMap<string, ProgramOf>;
  readonly options: ProcessesOptions;
}

/**
 * Lets Pods run as processes of this machine, for `workloads: { containers: processes({ ... }) }`.
 *
 * No program runs for an image that no pattern matches: a Pod without any match is simulated as before, and a container without one, beside others that have
 * one, waits with ImagePullBackOff.
 *
 * @param programs by image; `*` in a pattern stands for any text, and the longest pattern that matches counts
 * @throws ProcessesError for a table without patterns, and for options out of range
 * @example
 * ```ts
 * const containers = processes({
 *   'quay.io/coreos/etcd:*': ({ args, local }) => ({ program: 'etcd', args: args.map(local) }),
 *   'busybox:*': 'simulated',
 * });
 * const cluster = await TestCluster.start({ workloads: { containers } });
 * ```
 */
export function processes(programs: Readonly<Record<string, ProgramOf>>, options: ProcessesOptions = {}): Processes {
  const { maxLogBytes, names } = options;
  if (maxLogBytes !== undefined && !(Number.isInteger(maxLogBytes) && maxLogBytes >= 64 * 1024))
    throw new ProcessesError(`processes: maxLogBytes: ${String(maxLogBytes)} is not possible: give a whole number from 65536`);
  if (names !== undefined && !NAMES_CHOICES.includes(names))
    throw new ProcessesError(`processes: names: ${JSON.stringify(names)} is not possible: give one of ${NAMES_CHOICES.join(', ')}`);
  const entries = Object.entries(programs);
  if (entries.length === 0)
    throw new ProcessesError("processes: no image has a program: give patterns, like { 'memcached:*': 'memcached' }");
  for (const [pattern, program] of entries) {
    if (pattern === '' || (typeof program !== 'function' && (typeof program !== 'string' || program === '')))
      throw new ProcessesError(
        `processes: ${JSON.stringify(pattern)}: give the path of a program, 'simulated', or a function that returns { program, args }`,
      );
  }
  return { programs: new Map(entries), options };
}

/** The program of an image; undefined if no pattern matches. */
export function programOf({ programs }: Processes, image = ''): ProgramOf | undefined {
  return findByImage(programs, image);
}

/** Whether any container of the Pod has a program: all others are simulated. */
export function runsAsProcesses(table: Processes, { spec }: Pod): boolean {
  return [...(spec.initContainers ?? []), ...spec.containers].some(({ image }) => {
    const program = programOf(table, image);
    return program !== undefined && program !== 'simulated';
  });
}

/** The choice of `program` for this container. */
export async function chosenProgram(program: ProgramOf, container: ContainerOfPod): Promise<Program | 'simulated'> {
  if (program === 'simulated') return 'simulated';
  if (typeof program === 'string') return { program, args: container.args.map((text) => container.local(text)) };
  return checkedProgram(await program(container), `the function for image ${JSON.stringify(container.image)}`);
}

/** @throws ProcessesError for what is not a program: functions of JavaScript may return anything */
export function checkedProgram<T extends Pick<Program, 'args' | 'program'> | 'simulated'>(found: T, by: string): T {
  const { program, args = [] }: Partial<Program> = typeof found === 'object' && found !== null ? found : {};
  if (found === 'simulated' || (typeof program === 'string' && program !== '' && Array.isArray(args))) return found;
  throw new ProcessesError(
    `processes: ${by} returned ${String(JSON.stringify(found))}: return { program: '/path/of/a/program', args: ['--flag'] }, or 'simulated'`,
  );
}

/** Whether a value is what {@link processes} returns. */
export function isProcesses(value: unknown): value is Processes {
  const { programs, options } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Processes>;
  return programs instanceof Map && typeof options === 'object';
}
