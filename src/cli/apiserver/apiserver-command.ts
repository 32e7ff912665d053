import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../errors.js';
import { shellWord } from '../shell-word.js';
import type { Terminal } from '../terminal.js';
import { containersIn } from './containers-module.js';
import { KubeconfigFile } from './kubeconfig-file.js';
import { type ServerOptions, type StartedServer, startServer } from './started-server.js';

const USAGE = `Usage: keelson apiserver [options]

Runs a Kubernetes API server until it is interrupted, for kubectl and for operators under
development. Nothing has to be installed. It listens on this machine alone. Without --data it keeps
everything in memory, and all is gone when it ends.

Options:
  -p, --port N           where to listen (default: any port that is free)
      --kubeconfig FILE  where to write the kubeconfig of an administrator: written when the server
                         is ready, removed when it ends (default: a file in the folder for
                         temporary files)
  -f, --filename PATH    manifests that are created first: a file of YAML or JSON, or a folder of
                         them; may be given several times. A manifest that the server refuses is
                         reported, and the server stays
      --data FOLDER      where objects and keys are kept: they survive a restart, and the end of the
                         process in whatever way. With --port a client keeps its kubeconfig
      --cert-dir FOLDER  where the keys of the authority and of the administrator are kept (default:
                         the folder of --data; without both they are made anew each time)
      --service NAMESPACE/NAME=PORT
                         the local port at which the webhooks of a Service listen; may be given
                         several times
      --mode MODE        cluster: owners cascade, namespaces empty themselves (default)
                         envtest: the API server alone, as Go's envtest has it
      --workloads        Deployments, StatefulSets, DaemonSets and Jobs make Pods, and Pods become
                         Ready, though nothing runs in them
      --containers FILE  a JavaScript module that exports containers, as processes({ ... }) of
                         keelson/testing returns them: Pods of these images run as processes of
                         this machine. Implies --workloads
  -h, --help             show this text

Example:
  keelson apiserver --port 6443 --kubeconfig /tmp/dev.kubeconfig
  kubectl --kubeconfig /tmp/dev.kubeconfig get namespaces
`;

const OPTIONS = {
  port: { type: 'string', short: 'p' },
  kubeconfig: { type: 'string' },
  filename: { type: 'string', short: 'f', multiple: true },
  data: { type: 'string' },
  'cert-dir': { type: 'string' },
  service: { type: 'string', multiple: true },
  mode: { type: 'string', default: 'cluster' },
  workloads: { type: 'boolean', default: false },
  containers: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** `keelson apiserver`. Resolves when the process is asked to end and all is cleared away. */
export async function runApiServer(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  if (values.help) return terminal.out(USAGE);
  if (positionals.length > 0)
    throw new UsageError(`keelson apiserver: ${positionals.join(' ')} is not expected; manifests are given with --filename`);
  const mode = modeOf(values.mode);
  const inDirectory = (path: string): string => resolve(terminal.directory, path);
  const containers = values.containers === undefined ? undefined : await containersIn(inDirectory(values.containers), values.containers);
  const options: ServerOptions = {
    mode,
    workloads: containers === undefined ? values.workloads : { containers },
    services: servicesOf(values.service ?? []),
    ...(values.port === undefined ? {} : { port: portOf(values.port) }),
    ...(values.data === undefined ? {} : { dataFolder: inDirectory(values.data) }),
    ...(values['cert-dir'] === undefined ? {} : { certificateFolder: inDirectory(values['cert-dir']) }),
  };
  const file = await KubeconfigFile.at(values.kubeconfig, terminal.directory);
  // Listened for from now on: who interrupts the start wants no server that goes on.
  const interrupted = terminal.interrupted();
  const onRefused = (message: string): void => terminal.error(`${message}\n`);
  const server = await startServer(options, { paths: (values.filename ?? []).map(inDirectory), onRefused });
  try {
    const path = await file.write(server.kubeconfig);
    terminal.out(greeting(server, path, values.data));
    terminal.out(`Ended by ${await interrupted}.\n`);
  } finally {
    await file.remove();
    await server.close();
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new UsageError(`keelson apiserver: --port ${text}: is not a port; give a number up to 65535, or 0 for any port that is free`);
  return port;
}

function modeOf(text: string): 'cluster' | 'envtest' {
  if (text === 'cluster' || text === 'envtest') return text;
  throw new UsageError(`keelson apiserver: --mode ${text}: is not known; choose cluster or envtest`);
}

/** @throws UsageError */
function servicesOf(texts: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, service = '', port = ''] = /^([^/=]+\/[^/=]+)=(\d+)$/.exec(text) ?? [];
      if (service === '' || Number(port) < 1 || Number(port) > 65_535)
        throw new UsageError(`keelson apiserver: --service ${text}: give namespace/name=port, for example shop/hooks=9443`);
      return [service, Number(port)];
    }),
  );
}

function greeting({ url }: StartedServer, kubeconfig: string, data: string | undefined): string {
  return `The API server listens at ${url}

  export KUBECONFIG=${shellWord(kubeconfig)}
  kubectl get namespaces

${data === undefined ? 'It keeps everything in memory.' : `Objects and keys are kept in ${data}.`} Ctrl-C ends it.
`;
}
