import type { Container, Pod } from '@keelson/kubernetes/kinds';
import { ProcessesError } from '../errors.js';
import { type AccountKubeconfig, writeAccountKubeconfig } from './account-kubeconfig.js';
import { expanded } from './expansion.js';
import { type LocalView, localPath, localText, type Mount } from './local-text.js';

/**
 * A container that is about to start, as the function sees it that chooses a program for its image. Without root a process sees the file system, the network
 * and the names of this machine; {@link local} and {@link pathOf} turn what the container says into what is meant here.
 */
export interface ContainerOfPod {
  readonly pod: Pod;
  readonly container: Container;
  readonly name: string;
  readonly image: string;
  /** `command` with `$(NAME)` expanded; empty if the image's own entry point is meant. */
  readonly command: readonly string[];
  /** `args` with `$(NAME)` expanded. */
  readonly args: readonly string[];
  /** The variables that the container declares, and no variable of this process. `PATH` is missing unless the container sets it. */
  readonly env: Readonly<Record<string, string>>;
  /** The Pod's own address on this machine, `status.podIP`: programs have to listen there, not on `0.0.0.0`. */
  readonly address: string;
  readonly mounts: readonly Mount[];
  /**
   * The file or folder of this machine that stands for a path of the container.
   *
   * @throws ProcessesError if no mount covers it
   * @example pathOf('/data/etcd') // '/tmp/keelson-pods-k3J/volumes/pvc-…/etcd'
   */
  readonly pathOf: (path: string) => string;
  /**
   * A text of the container as it has to read on this machine: paths below a mount lead into its folder, host names of the cluster and `0.0.0.0`, `127.0.0.1`,
   * `localhost`, `[::]` become addresses. All else stays.
   *
   * @example local('--listen-client-urls=http://0.0.0.0:2379') // '--listen-client-urls=http://127.16.0.4:2379'
   */
  readonly local: (text: string) => string;
  /**
   * Path of a kubeconfig for the Pod's ServiceAccount. Clients of the API look for its token in `/var/run/secrets/kubernetes.io/serviceaccount`, where a
   * process sees the files of this machine; most of them read the variable `KUBECONFIG` first.
   *
   * @throws ProcessesError if the container mounts no token
   * @example ({ kubeconfig }) => ({ program: 'my-operator', env: { KUBECONFIG: kubeconfig() } })
   */
  readonly kubeconfig: () => string;
}

/** A program that a container is. */
export interface Program {
  /** A path, or a name that is looked for in `PATH`. */
  readonly program: string;
  /** Default: none. */
  readonly args?: readonly string[] | undefined;
  /** Variables beside those that the container declares; they win. Default: none. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Where it runs. Default: the container's `workingDir` if a mount covers it, else an empty folder of the container. */
  readonly directory?: string | undefined;
  /**
   * The program for a command that is run in the container: `kubectl exec`, exec probes, hooks. `args` are the command's, `local` in text. Default: the command
   * itself, as a program of this machine.
   */
  readonly exec?: ((command: readonly string[]) => Pick<Program, 'args' | 'env' | 'program'>) | undefined;
}

export interface ContainerParts extends LocalView {
  readonly pod: Pod;
  readonly container: Container;
  readonly env: Readonly<Record<string, string>>;
  /** Where the API server is, and where the kubeconfig of the container's account goes. */
  readonly account: Pick<AccountKubeconfig, 'file' | 'server'>;
}

export function containerOfPod({ pod, container, env, account, ...view }: ContainerParts): ContainerOfPod {
  const { name, image = '', command = [], args = [] } = container;
  const { address, mounts } = view;
  return {
    pod,
    container,
    name,
    image,
    env,
    address,
    mounts,
    command: command.map((text) => expanded(text, env)),
    args: args.map((text) => expanded(text, env)),
    local: (text) => localText(text, view),
    kubeconfig: () => writeAccountKubeconfig({ pod, mounts, ...account }),
    pathOf(path) {
      const found = localPath(mounts, path);
      if (found !== undefined) return found;
      const known = mounts.map(({ mountPath }) => mountPath).join(', ') || 'it mounts nothing';
      throw new ProcessesError(`container ${JSON.stringify(name)}: no mount covers ${path} (mounts: ${known})`);
    },
  };
}
