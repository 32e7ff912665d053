import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '@keelson/kubernetes/apimachinery';
import { type ApiClient, createClient } from '@keelson/runtime/internal/client';
import { loadConnection } from '@keelson/runtime/internal/http';
import { type JournalRun, journalText } from '@keelson/runtime/internal/journal';
import { RUNTIME_CONTRACT } from 'keelson/internal/definition';
import { UsageError, WhyError } from '../errors.js';
import type { Terminal } from '../terminal.js';
import { WHY } from '../usage/index.js';
import { askJournal } from './journal-request.js';
import { namedKind } from './named-kind.js';
import { metricsPorts } from './operator-pods.js';
import { connectToPodPort, type PodPort } from './pod-port.js';
import { readerToken } from './reader-token.js';

/** `keelson why`. */
export async function runWhy(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: WHY.options, allowPositionals: true });
  const [subject, ...more] = positionals;
  if (subject === undefined) throw new UsageError('keelson why: KIND/NAME is not given; for example: keelson why memcached/sessions');
  if (more.length > 0) throw new UsageError(`keelson why: one KIND/NAME is expected, got ${positionals.join(' ')}`);
  const [word, name] = pairOf(subject, 'keelson why', 'KIND/NAME');
  if (values.operator === undefined)
    throw new UsageError('keelson why: --operator is not given; name the Deployment of the operator as NAMESPACE/NAME');
  const [namespace, deployment] = pairOf(values.operator, '--operator', 'NAMESPACE/NAME');
  const output = outputOf(values.output);
  const account =
    values['service-account'] === undefined ? undefined : pairOf(values['service-account'], '--service-account', 'NAMESPACE/NAME');
  const { context, controller } = values;
  const kubeconfig = values.kubeconfig === undefined ? undefined : resolve(terminal.directory, values.kubeconfig);
  const client = createClient({ connection: await loadConnection({ kubeconfig, context }) });
  try {
    const { kind, isNamespaced } = await namedKind(client, word);
    const object = isNamespaced ? `${values.namespace ?? client.connection.namespace}/${name}` : name;
    const query = new URLSearchParams({ format: 'json', ...(controller === undefined ? {} : { controller }) });
    const ask = {
      path: `${RUNTIME_CONTRACT.paths.journal}/${kind}/${object}?${query.toString()}`,
      token: await readerToken(client, account),
    };
    const ports = await metricsPorts(client, { namespace, name: deployment });
    const { runs, failures } = await runsOf(client, ports, ask);
    if (runs.length === 0) throw new WhyError(nothingText(`${kind} ${object}`, failures));
    for (const failure of failures) terminal.error(`${failure}\n`);
    terminal.out(output === 'json' ? `${JSON.stringify(runs, undefined, 2)}\n` : `${journalText(runs)}\n`);
  } finally {
    client.close();
  }
}

function pairOf(value: string, what: string, form: string): readonly [string, string] {
  const [first = '', second = '', ...more] = value.split('/');
  if (first !== '' && second !== '' && more.length === 0) return [first, second];
  throw new UsageError(`${what} ${value}: is not ${form}`);
}

function outputOf(output: string): 'text' | 'json' {
  if (output === 'text' || output === 'json') return output;
  throw new UsageError(`keelson why: --output ${output}: is neither text nor json`);
}

interface Answers {
  readonly runs: readonly JournalRun[];
  readonly failures: readonly string[];
}

/** Asks every Pod. The leader has the latest runs, and a former leader has older ones. */
async function runsOf(
  client: ApiClient,
  ports: readonly PodPort[],
  ask: { readonly path: string; readonly token: string },
): Promise<Answers> {
  const answers = await Promise.allSettled(ports.map((port) => runsOfPod(client, port, ask)));
  const runs = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  return {
    runs: runs.sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime()),
    failures: answers.flatMap((answer) => (answer.status === 'rejected' ? [messageOf(answer.reason)] : [])),
  };
}

async function runsOfPod(client: ApiClient, port: PodPort, ask: { readonly path: string; readonly token: string }): Promise<JournalRun[]> {
  const where = `Pod ${port.namespace}/${port.pod}`;
  const stream = await connectToPodPort(client.connection, port);
  const { status, text } = await askJournal(stream, ask).catch((error: unknown) => {
    throw new WhyError(`${where}: the journal cannot be read: ${messageOf(error)}`, { cause: error });
  });
  if (status !== 200) throw new WhyError(`${where}: ${refusalText(status, text, ask.path)}`);
  return runsIn(text, where);
}

/** The Pod may be of another program, or of another release. @throws WhyError */
function runsIn(text: string, where: string): JournalRun[] {
  try {
    const runs = (JSON.parse(text) as readonly JournalRun[]).map((run) => ({ ...run, startedAt: new Date(run.startedAt) }));
    // Throws for what is not a run.
    journalText(runs);
    return runs;
  } catch (error) {
    throw new WhyError(`${where}: the answer is not the journal of an operator of this release: ${messageOf(error)}`, { cause: error });
  }
}

function refusalText(status: number, text: string, path: string): string {
  const [url] = path.split('?');
  if (status === 401) return 'the API server does not know the token; log in again, or give --service-account';
  if (status === 403)
    return `the right is missing: grant verbs [get], nonResourceURLs [${url}] by a ClusterRole, or a pattern such as [${RUNTIME_CONTRACT.paths.journal}/*]`;
  return text.trim();
}

function nothingText(object: string, failures: readonly string[]): string {
  if (failures.length > 0) return failures.join('\n');
  return `${object}: no run is in the journal: no Pod has reconciled the object since it started, or its runs made room for those of other objects`;
}
