import type { Writable } from 'node:stream';
import type { Channel, StreamConnection, StreamOfConnection } from '../../../contract/index.js';
import type { TerminalSize } from '../machine/index.js';

/** The streams that a client asks for. */
export interface WantedStreams {
  readonly hasInput: boolean;
  readonly hasOutput: boolean;
  readonly hasErrors: boolean;
  /** Output and errors are one stream then, and the client says how large its terminal is. */
  readonly hasTerminal: boolean;
}

/** The takers of what a client sends. */
export interface Takers {
  readonly stdin?: Writable | undefined;
  readonly onSize?: ((size: TerminalSize) => void) | undefined;
}

/** Input, output and result of a command or a container, over any carrier. */
export interface RemoteStreams {
  /** Undefined: the client does not want it. */
  readonly stdout: Send | undefined;
  readonly stderr: Send | undefined;
  /** Leads what the client sends into `stdin`, until the client ends that, and says the sizes of its terminal. */
  take(takers: Takers): void;
  /** The client has gone. */
  onClose(listener: () => void): void;
  /** Says how it went, as a `Status`, and ends the connection. */
  finish(status: object): Promise<void>;
}

export type Send = (bytes: Uint8Array) => Promise<void>;

/** The channels of `v4.channel.k8s.io` and `v5.channel.k8s.io`: the first byte of each message. Source: apimachinery `pkg/util/remotecommand`. */
const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const ERROR = 3;
const RESIZE = 4;
/** In v5: the client sends nothing more on the channel in the next byte. */
const CLOSE = 255;
export const MESSAGE_PROTOCOLS: readonly string[] = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/** The streams over the messages of a WebSocket. */
export async function streamsOfMessages(channel: Channel, { hasOutput, hasErrors }: WantedStreams): Promise<RemoteStreams> {
  const sender = (number: number) => (bytes: Uint8Array) => channel.send(Buffer.concat([Buffer.from([number]), bytes]));
  // Shows the client that the connection stands: an empty message on the lowest channel that the server writes.
  await sender(hasOutput ? STDOUT : hasErrors ? STDERR : ERROR)(Buffer.alloc(0));
  return {
    stdout: hasOutput ? sender(STDOUT) : undefined,
    stderr: hasErrors ? sender(STDERR) : undefined,
    onClose: (listener) => channel.onClose(listener),
    take({ stdin, onSize }) {
      channel.onMessage((message) => {
        if (message[0] === CLOSE && message[1] === STDIN) stdin?.end();
        if (message[0] === RESIZE) passSize(message.toString('utf8', 1), onSize);
        if (message[0] !== STDIN || message.length === 1 || stdin === undefined) return;
        channel.pause();
        void written(stdin, message.subarray(1)).then(() => channel.resume());
      });
    },
    async finish(status) {
      await sender(ERROR)(Buffer.from(JSON.stringify(status)));
      channel.close();
    },
  };
}

/** The newest over SPDY; those before it had no exit codes. */
export const STREAM_PROTOCOLS: readonly string[] = ['v4.channel.k8s.io'];
const STREAM_TYPE = 'streamtype';
/** For the client to open its streams, in real time. Source: `DefaultStreamCreationTimeout` of the kubelet. */
const STREAMS_WITHIN_MS = 30_000;

/** The streams that the client opens, one for each. @returns undefined if it does not open them in time */
export async function streamsOfConnection(connection: StreamConnection, wanted: WantedStreams): Promise<RemoteStreams | undefined> {
  const { hasInput, hasOutput, hasErrors, hasTerminal } = wanted;
  const wishes = { stdin: hasInput, stdout: hasOutput, stderr: hasErrors, resize: hasTerminal };
  const types = ['error', ...Object.entries(wishes).flatMap(([type, isWanted]) => (isWanted ? [type] : []))];
  const opened = await openedStreams(connection, types);
  const error = opened?.get('error');
  if (opened === undefined || error === undefined) return undefined;
  const sender = (type: string): Send | undefined => {
    const stream = opened.get(type);
    return stream && ((bytes) => stream.send(bytes));
  };
  return {
    stdout: sender('stdout'),
    stderr: sender('stderr'),
    onClose: (listener) => connection.onClose(listener),
    take({ stdin, onSize }) {
      const stream = opened.get('stdin');
      stream?.onData((bytes) => (stdin === undefined ? undefined : written(stdin, bytes)));
      stream?.onEnd(() => stdin?.end());
      opened.get('resize')?.onData((bytes) => passSize(bytes.toString('utf8'), onSize));
    },
    async finish(status) {
      await error.send(Buffer.from(JSON.stringify(status)));
      for (const stream of opened.values()) await stream.end();
      connection.close();
    },
  };
}

/** Each size is a line of JSON, sent as a whole; the last one counts. A line that is not a size is left out, as by the kubelet. */
function passSize(text: string, onSize: Takers['onSize']): void {
  const [, width = 0, height = 0] = [...text.matchAll(/\{"Width":(\d{1,5}),"Height":(\d{1,5})\}/g)].at(-1) ?? [];
  const size = { width: Number(width), height: Number(height) };
  if (size.width > 0 && size.height > 0) onSize?.(size);
}

function openedStreams(
  connection: StreamConnection,
  types: readonly string[],
): Promise<ReadonlyMap<string, StreamOfConnection> | undefined> {
  const opened = new Map<string, StreamOfConnection>();
  return new Promise((resolve) => {
    const limit = setTimeout(() => resolve(undefined), STREAMS_WITHIN_MS);
    connection.onClose(() => {
      clearTimeout(limit);
      resolve(undefined);
    });
    connection.onStream((stream) => {
      const type = stream.headers.get(STREAM_TYPE) ?? '';
      if (!types.includes(type) || opened.has(type)) {
        void stream.reset();
        return;
      }
      opened.set(type, stream);
      if (opened.size < types.length) return;
      clearTimeout(limit);
      resolve(opened);
    });
  });
}

/** Settles when more can be written, or the reader is gone. */
export function written(target: Writable, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (target.destroyed || target.writableEnded || target.write(bytes)) resolve();
    else {
      const done = (): void => {
        target.off('drain', done).off('close', done);
        resolve();
      };
      target.on('drain', done).on('close', done);
    }
  });
}
