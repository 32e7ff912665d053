import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ServerFeature } from '@keelson/api-server';
import { shellWord } from '@keelson/kubernetes/apimachinery';
import { containersIn, noteOnNames } from '../containers-module.js';
import { UsageError } from '../errors.js';
import { KubeconfigFile } from '../kubeconfig-file.js';
import { portIn } from '../port.js';
import type { Terminal } from '../terminal.js';
import { APISERVER } from '../usage/index.js';
import { type ServerOptions, type StartedServer, startServer } from './started-server.js';

/** `keelson apiserver`. Resolves when the process is asked to end and all is cleared away. */
export async function runApiServer(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: APISERVER.options, allowPositionals: true });
  if (positionals.length > 0)
    throw new UsageError(`keelson apiserver: ${positionals.join(' ')} is not expected; manifests are given with --filename`);
  const mode = modeOf(values.mode);
  const inDirectory = (path: string): string => resolve(terminal.directory, path);
  const containers =
    values.containers === undefined ? undefined : await containersIn('apiserver', inDirectory(values.containers), values.containers);
  const options: ServerOptions = {
    mode,
    workloads: containers === undefined ? values.workloads : { containers },
    services: servicesOf(values.service ?? []),
    features: (values.feature ?? []).map(featureOf),
    ...(values.port === undefined ? {} : { port: portIn('apiserver', values.port) }),
    ...(values.data === undefined ? {} : { dataFolder: inDirectory(values.data) }),
    ...(values['cert-dir'] === undefined ? {} : { certificateFolder: inDirectory(values['cert-dir']) }),
  };
  const file = await KubeconfigFile.at(values.kubeconfig, terminal.directory);
  // Listened for from now on: a user who interrupts the start wants no server that goes on.
  const interrupted = terminal.interrupted();
  const onRefused = (message: string): void => terminal.error(`${message}\n`);
  terminal.progress?.('starting the API server');
  const server = await startServer(options, { paths: (values.filename ?? []).map(inDirectory), onRefused });
  terminal.progress?.('');
  try {
    const path = await file.write(server.kubeconfig);
    terminal.out(`${greeting(server, path, values.data)}${containers === undefined ? '' : await noteOnNames(containers)}`);
    terminal.out(`Ended by ${await interrupted}.\n`);
  } finally {
    await file.remove();
    await server.close();
  }
}

function modeOf(text: string): 'cluster' | 'envtest' {
  if (text === 'cluster' || text === 'envtest') return text;
  throw new UsageError(`keelson apiserver: --mode ${text}: is not known; choose cluster or envtest`);
}

/** @throws UsageError */
function featureOf(text: string): ServerFeature {
  if (text === 'MutatingAdmissionPolicy') return text;
  throw new UsageError(`keelson apiserver: --feature ${text}: is not known; choose MutatingAdmissionPolicy`);
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
