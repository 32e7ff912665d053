import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import type { Pod } from '../../../../kinds/index.js';
import { messageOf } from '../../../../kubernetes/index.js';
import type { Channel, SubresourceConnection } from '../../../contract/index.js';
import { badRequest } from '../../../status/index.js';
import type { ContainerRun } from '../container-run.js';
import type { Child } from '../machine/index.js';

/** The channels of `v4.channel.k8s.io` and `v5.channel.k8s.io`: the first byte of each message. Source: apimachinery `pkg/util/remotecommand`, 1.34. */
const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const ERROR = 3;
/** In v5: the client sends nothing more on the channel in the next byte. */
const CLOSE = 255;

/** The Pods in which commands can be run. */
export interface ExecSource {
  runningOf(pod: Pod, container: string): ContainerRun | undefined;
}

interface Streams {
  readonly hasInput: boolean;
  readonly hasOutput: boolean;
  readonly hasErrors: boolean;
}

/**
 * A command in a container, as `kubectl exec` asks for it over a WebSocket.
 *
 * @throws StatusError 400 for a container that does not run, a terminal, and a request without a command or streams
 */
export function podExec(
  pod: Pod,
  { query, container }: { readonly query: URLSearchParams; readonly container: string },
  source: ExecSource,
): SubresourceConnection {
  const command = query.getAll('command');
  if (command.length === 0) throw badRequest('you must specify at least one command for the container');
  const isTrue = (name: string): boolean => ['1', 'true'].includes((query.get(name) ?? '').toLowerCase());
  const streams = { hasInput: isTrue('stdin'), hasOutput: isTrue('stdout'), hasErrors: isTrue('stderr') };
  if (!streams.hasInput && !streams.hasOutput && !streams.hasErrors)
    throw badRequest('you must specify at least 1 of stdin, stdout, stderr');
  if (isTrue('tty')) throw badRequest('a process of this server has no terminal: leave out --tty (-t); --stdin (-i) is possible');
  const run = source.runningOf(pod, container);
  if (run === undefined) throw badRequest(`container "${container}" in pod "${pod.metadata.name}" does not run`);
  return { protocols: ['v5.channel.k8s.io', 'v4.channel.k8s.io'], serve: (channel) => serve(channel, { run, command, streams }) };
}

async function serve(
  channel: Channel,
  { run, command, streams }: { readonly run: ContainerRun; readonly command: readonly string[]; readonly streams: Streams },
): Promise<void> {
  const { hasInput, hasOutput, hasErrors } = streams;
  // Shows the client that the connection stands: an empty message on the lowest channel that the server writes.
  await channel.send(Buffer.from([hasOutput ? STDOUT : hasErrors ? STDERR : ERROR]));
  let child: Child;
  try {
    child = run.exec(command, { hasInput });
  } catch (error) {
    await finish(channel, failure({ reason: 'InternalError', message: `error executing command in container: ${messageOf(error)}` }));
    return;
  }
  channel.onClose(() => child.signal('SIGKILL'));
  if (hasInput) takeInput(channel, child);
  pass(child.stdout, hasOutput ? (chunk) => channel.send(framed(STDOUT, chunk)) : undefined);
  pass(child.stderr, hasErrors ? (chunk) => channel.send(framed(STDERR, chunk)) : undefined);
  const { code, signal } = await child.ended;
  await finish(channel, statusOf(signal === undefined ? (code ?? 0) : 128 + constants.signals[signal]));
}

function takeInput(channel: Channel, { stdin }: Child): void {
  channel.onMessage((message) => {
    if (message[0] === STDIN && message.length > 1) stdin.write(message.subarray(1));
    else if (message[0] === CLOSE && message[1] === STDIN) stdin.end();
  });
}

/** Reads a stream as fast as the client takes it; without one it is thrown away. */
function pass(stream: Readable, send: ((chunk: Buffer) => Promise<void>) | undefined): void {
  if (send === undefined) {
    stream.resume();
    return;
  }
  stream.on('data', (chunk: Buffer) => {
    stream.pause();
    void send(chunk).then(() => stream.resume());
  });
}

function framed(channel: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([channel]), bytes]);
}

async function finish(channel: Channel, status: object): Promise<void> {
  await channel.send(framed(ERROR, Buffer.from(JSON.stringify(status))));
  channel.close();
}

function statusOf(exitCode: number): object {
  if (exitCode === 0) return { metadata: {}, status: 'Success' };
  const message = `command terminated with non-zero exit code: exit status ${exitCode}`;
  return failure({ reason: 'NonZeroExitCode', message, details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] } });
}

function failure(more: { readonly reason: string; readonly message: string; readonly details?: object }): object {
  return { metadata: {}, status: 'Failure', ...more };
}
