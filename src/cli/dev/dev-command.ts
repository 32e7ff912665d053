import { relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf, shellWord } from '@keelson/kubernetes/apimachinery';
import { readableLine } from '@keelson/runtime/internal/telemetry';
import { manifestsOf } from '@keelson/testing/internal/cluster';
import { freePorts } from '@keelson/testing/internal/free-ports';
import { containersIn, noteOnNames } from '../containers-module.js';
import { UsageError } from '../errors.js';
import { KubeconfigFile } from '../kubeconfig-file.js';
import { portIn } from '../port.js';
import type { Terminal } from '../terminal.js';
import { DEV } from '../usage/index.js';
import type { DevCluster } from './dev-cluster.js';
import { DevSession, type DevSessionOptions } from './dev-session.js';
import { DevView } from './dev-view.js';
import { OwnCluster, type OwnClusterOptions } from './own-cluster.js';
import type { Page } from './page/index.js';
import { projectModules } from './project-modules.js';
import { watchSources } from './source-files.js';

interface Values {
  readonly run?: string | undefined;
  readonly filename: readonly string[];
  readonly port?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly data?: string | undefined;
  readonly watch: readonly string[];
  readonly containers?: string | undefined;
  readonly page: boolean;
  readonly context?: string | undefined;
  readonly 'webhook-url'?: string | undefined;
  readonly 'force-conflicts': boolean;
  readonly yes: boolean;
}

/** Options that say how the API server in memory is started. */
const OF_OWN_SERVER = ['port', 'data', 'containers'] as const;

/** `keelson dev`. Resolves when the process is asked to end and all is cleared away. */
export async function runDev(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: DEV.options, allowPositionals: true });
  if (positionals.length > 1) throw new UsageError(`keelson dev: one operator is expected, got ${positionals.join(' ')}`);
  refuseUnfit(values);
  const { directory } = terminal;
  const modules = projectModules({ operator: positionals[0], run: values.run }, directory);
  const manifests = manifestsOf(pathsIn(directory, values.filename));
  // A process that is not keelson's may take one before it is used, and then the operator says so.
  const [health = 0, metrics = 0, webhooks = 0] = await freePorts(3);
  const ports = { health, metrics, webhooks };
  const run = values.context === undefined ? againstOwnServer : againstContext;
  await run({ terminal, values, session: { modules, directory, program: terminal.program, ports, manifests } });
}

/** @throws UsageError for options that contradict each other */
function refuseUnfit(values: Values): void {
  const { context } = values;
  if (context === undefined) {
    const alone = (['webhook-url', 'force-conflicts', 'yes'] as const).find((name) => values[name] !== undefined && values[name] !== false);
    if (alone !== undefined)
      throw new UsageError(`keelson dev: --${alone} is for a cluster that is there; name its context with --context`);
    return;
  }
  if (context === '') throw new UsageError('keelson dev: --context: give the name of a context, as kubectl config get-contexts lists them');
  const own = OF_OWN_SERVER.find((name) => values[name] !== undefined);
  if (own !== undefined)
    throw new UsageError(
      `keelson dev: --${own} is for the API server that keelson dev starts; the cluster of --context ${context} is there`,
    );
}

interface DevParts {
  readonly terminal: Terminal;
  readonly values: Values;
  readonly session: Omit<DevSessionOptions, 'cluster' | 'hasPage' | 'listeners' | 'onLine' | 'say'>;
}

async function againstOwnServer({ terminal, values, session }: DevParts): Promise<void> {
  const { directory } = terminal;
  const options = await clusterOptions(values, directory);
  const file = await KubeconfigFile.at(values.kubeconfig, directory);
  // Listened for from now on: a user who interrupts the start wants no server that goes on.
  const interrupted = terminal.interrupted();
  terminal.progress?.('starting the API server');
  const cluster = await OwnCluster.start(options);
  terminal.progress?.('');
  try {
    const kubeconfig = await file.write(await cluster.kubeconfig());
    terminal.out(greeting(cluster.url, kubeconfig, session.ports.metrics));
    if (typeof options.workloads === 'object' && options.workloads.containers !== undefined)
      terminal.out(await noteOnNames(options.workloads.containers));
    await runSession({ terminal, values, cluster, interrupted, session });
  } finally {
    await file.remove();
    await cluster.close();
  }
}

/** Nothing is asked of the server, and nothing written, before the user has seen where it is and has agreed. */
async function againstContext({ terminal, values, session }: DevParts): Promise<void> {
  const { ContextCluster, consent, webhookAddressOf } = await import('./context/index.js');
  const { context = '', kubeconfig, 'webhook-url': webhookUrl } = values;
  const interrupted = terminal.interrupted();
  const cluster = await ContextCluster.of({
    context,
    kubeconfig: kubeconfig === undefined ? undefined : resolve(terminal.directory, kubeconfig),
    webhooks: webhookUrl === undefined ? undefined : webhookAddressOf(webhookUrl),
    forcesConflicts: values['force-conflicts'],
  });
  try {
    terminal.out(contextGreeting(cluster, session.ports.metrics));
    await consent(terminal, { context, isGiven: values.yes, interrupted });
    await runSession({ terminal, values, cluster, interrupted, session });
  } finally {
    terminal.progress?.('deleting the parts of the operator');
    await cluster.close();
    terminal.progress?.('');
  }
}

const pathsIn = (directory: string, paths: readonly string[]): string[] => paths.map((path) => resolve(directory, path));

async function clusterOptions({ containers: file, port, data }: Values, directory: string): Promise<OwnClusterOptions> {
  const containers = file === undefined ? undefined : await containersIn('dev', resolve(directory, file), file);
  return {
    workloads: containers === undefined ? true : { containers },
    ...(port === undefined ? {} : { port: portIn('dev', port) }),
    ...(data === undefined ? {} : { dataFolder: resolve(directory, data) }),
  };
}

interface SessionParts {
  readonly terminal: Terminal;
  readonly values: Values;
  readonly cluster: DevCluster;
  readonly interrupted: Promise<string>;
  readonly session: DevParts['session'];
}

/** From the first start of the operator to the end of the command. */
async function runSession({ terminal, values, cluster, interrupted, session: parts }: SessionParts): Promise<void> {
  const { directory } = terminal;
  const views: DevView[] = [];
  const pages: Page[] = [];
  const session = new DevSession({
    ...parts,
    cluster,
    hasPage: values.page,
    say: (line) => views[0]?.say(line),
    onLine: (line) => views[0]?.line(readable(line, terminal.colours === true)),
    listeners: {
      onRun: (run) => {
        views[0]?.ran(run);
        pages[0]?.ran(run);
      },
      onHeard: (changes) => pages[0]?.heard(changes),
      onReview: (review) => pages[0]?.reviewed(review),
    },
  });
  let quit: (how: string) => void = () => undefined;
  const ending = Promise.race([interrupted, new Promise<string>((resolveEnding) => (quit = resolveEnding))]);
  const view = new DevView(
    terminal,
    { cluster, session },
    {
      restart: (how) => void session.restart(how),
      runAgain: (targets) => session.runAgain(targets),
      quit: () => quit('q'),
    },
  );
  views.push(view);
  const given = pathsIn(directory, values.filename);
  const sources = await watchSources([directory, ...given, ...pathsIn(directory, values.watch)], (path) => {
    const isManifest = given.some((place) => path === place || path.startsWith(`${place}${sep}`));
    view.say(`${relative(directory, path)} has changed: ${isManifest ? 'the manifests are applied again' : 'the operator starts again'}`);
    if (isManifest) applyAgain(session, given, view);
    else void session.restart();
  });
  try {
    if (values.page) pages.push(await servedPage(cluster, session, view));
    void session.restart();
    view.say(`ended by ${await ending}`);
  } finally {
    view.close();
    await sources.close();
    await pages[0]?.close();
    await session.close();
  }
}

/** Loaded when it is asked for. */
async function servedPage(cluster: DevCluster, session: DevSession, view: DevView): Promise<Page> {
  const { startPage } = await import('./page/index.js');
  const page = await startPage({ cluster, session, restart: (how) => void session.restart(how), say: (line) => view.say(line) });
  view.say(`the page is at ${page.url}`);
  return page;
}

/** A file that is half written, or wrong, is one of the next change's. */
function applyAgain(session: DevSession, paths: readonly string[], view: DevView): void {
  try {
    void session.apply(manifestsOf(paths));
  } catch (error) {
    view.say(messageOf(error));
  }
}

/** A line of the operator's log as a person reads it; any other line as it is. */
function readable(line: string, hasColours: boolean): string {
  if (!line.startsWith('{"level":')) return line;
  try {
    return readableLine(line, hasColours).trimEnd();
  } catch {
    // Another program writes lines that begin like those of the log.
    return line;
  }
}

function greeting(url: string, kubeconfig: string, metricsPort: number): string {
  return `The API server listens at ${url}, the metrics of the operator are at http://127.0.0.1:${metricsPort}/metrics

  export KUBECONFIG=${shellWord(kubeconfig)}
  kubectl get namespaces

`;
}

function contextGreeting({ url, origin }: { readonly url: string; readonly origin: string }, metricsPort: number): string {
  return `The cluster is at ${url} (${origin})
The operator's custom resources and rights are made there; its parts are deleted at the end, objects and definitions stay.
Its metrics are at http://127.0.0.1:${metricsPort}/metrics

`;
}
