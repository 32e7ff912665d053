import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { messageOf } from '@keelson/kubernetes/apimachinery';
import type { Pod } from '@keelson/kubernetes/kinds';
import type { SubresourceConnection } from '../../../contract/index.js';
import { badRequest } from '../../../status/index.js';
import type { ContainerRun } from '../container-run.js';
import { type Child, Terminals } from '../machine/index.js';
import { remoteConnection, wantedStreams } from './remote-connection.js';
import type { RemoteStreams, Send, WantedStreams } from './remote-streams.js';
import { failure, SUCCESS } from './statuses.js';

/** The Pods in which commands can be run. */
export interface ExecSource {
  runningOf(pod: Pod, container: string): ContainerRun | undefined;
}

/**
 * A command in a container, as `kubectl exec` asks for it.
 *
 * @throws StatusError 400 for a container that does not run, a terminal where this machine lacks the programs for one, and a request without a command or streams
 */
export function podExec(
  pod: Pod,
  { query, container }: { readonly query: URLSearchParams; readonly container: string },
  source: ExecSource,
): SubresourceConnection {
  const command = query.getAll('command');
  if (command.length === 0) throw badRequest('you must specify at least one command for the container');
  const wanted = wantedStreams(query);
  const run = source.runningOf(pod, container);
  if (run === undefined) throw badRequest(`container "${container}" in pod "${pod.metadata.name}" does not run`);
  const terminals = wanted.hasTerminal ? foundTerminals() : undefined;
  return remoteConnection(wanted, (streams) => serve(streams, { run, command, wanted, terminals }));
}

/** @throws StatusError 400 */
function foundTerminals(): Terminals {
  const found = Terminals.find(process.env['PATH'] ?? '');
  if (found !== undefined) return found;
  throw badRequest(`a terminal for this command is not possible: ${Terminals.LACK}, or leave out --tty (-t): --stdin (-i) is possible`);
}

interface Served {
  readonly run: ContainerRun;
  readonly command: readonly string[];
  readonly wanted: WantedStreams;
  readonly terminals: Terminals | undefined;
}

async function serve(streams: RemoteStreams, { run, command, wanted, terminals }: Served): Promise<void> {
  let child: Child;
  try {
    child = run.exec(command, { hasInput: wanted.hasInput, terminals });
  } catch (error) {
    await streams.finish(failure({ reason: 'InternalError', message: `error executing command in container: ${messageOf(error)}` }));
    return;
  }
  streams.onClose(() => child.signal('SIGKILL'));
  streams.take({ stdin: child.stdin, onSize: child.resize });
  pass(child.stdout, streams.stdout);
  pass(child.stderr, streams.stderr);
  const { code, signal } = await child.ended;
  await streams.finish(statusOf(signal === undefined ? (code ?? 0) : 128 + constants.signals[signal]));
}

/** Reads a stream as fast as the client takes it; without one it is thrown away. */
function pass(stream: Readable, send: Send | undefined): void {
  if (send === undefined) {
    stream.resume();
    return;
  }
  stream.on('data', (chunk: Buffer) => {
    stream.pause();
    void send(chunk).then(() => stream.resume());
  });
}

function statusOf(exitCode: number): object {
  if (exitCode === 0) return SUCCESS;
  const message = `command terminated with non-zero exit code: exit status ${exitCode}`;
  return failure({ reason: 'NonZeroExitCode', message, details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] } });
}
