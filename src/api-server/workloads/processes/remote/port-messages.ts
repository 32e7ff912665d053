import { connect, type Socket } from 'node:net';
import type { Channel } from '../../../contract/index.js';
import { type PortTarget, portFailure } from './port-target.js';
import { written } from './remote-streams.js';

/** Each port has two channels: data, and errors one above. The channel is the first byte of a message. */
export const PORT_PROTOCOLS: readonly string[] = ['v4.channel.k8s.io'];
const CHANNELS_PER_PORT = 2;
/** A channel is a byte. */
export const MOST_PORTS: number = 256 / CHANNELS_PER_PORT;

/**
 * One connection to each port over the messages of a WebSocket, as the clients of Java, JavaScript and Python ask for it. Without a way to end one direction
 * alone, all end together.
 *
 * Source: kubelet `pkg/cri/streaming/portforward/websocket.go`.
 */
export async function forwardPorts(channel: Channel, ports: readonly number[], target: PortTarget): Promise<void> {
  const sockets: Socket[] = [];
  channel.onMessage((message) => {
    const index = message[0] ?? 0;
    const socket = index % CHANNELS_PER_PORT === 0 ? sockets[index / CHANNELS_PER_PORT] : undefined;
    if (socket === undefined || message.length === 1) return;
    channel.pause();
    void written(socket, message.subarray(1)).then(() => channel.resume());
  });
  channel.onClose(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(
    ports.map((port, index) => {
      const socket = connect({ host: target.address, port, noDelay: true });
      sockets.push(socket);
      return forward(socket, {
        channel,
        number: index * CHANNELS_PER_PORT,
        failureOf: (reason) => portFailure(port, target, reason),
        port,
      });
    }),
  );
  channel.close();
}

interface Forwarded {
  readonly channel: Channel;
  /** The channel of the data. */
  readonly number: number;
  readonly port: number;
  readonly failureOf: (reason: string) => string;
}

/** Settles when the Pod has said its last. */
async function forward(socket: Socket, { channel, number, port, failureOf }: Forwarded): Promise<void> {
  const send = (to: number, bytes: Uint8Array): Promise<void> => channel.send(Buffer.concat([Buffer.from([to]), bytes]));
  let failure: string | undefined;
  socket.on('error', ({ message }) => {
    failure = failureOf(message);
  });
  socket.pause();
  // Both channels begin with their port.
  const opening = Buffer.alloc(2);
  opening.writeUInt16LE(port);
  await send(number, opening);
  await send(number + 1, opening);
  socket.on('data', (chunk: Buffer) => {
    socket.pause();
    void send(number, chunk).then(() => socket.resume());
  });
  const closed = new Promise<void>((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });
  socket.resume();
  await closed;
  if (failure !== undefined) await send(number + 1, Buffer.from(failure));
}
