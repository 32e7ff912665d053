import { connect, type Socket } from 'node:net';
import type { Pod } from '@keelson/kubernetes/kinds';
import type { StreamConnection, StreamOfConnection, SubresourceConnection } from '../../../contract/index.js';
import { badRequest } from '../../../status/index.js';
import { forwardPorts, MOST_PORTS, PORT_PROTOCOLS } from './port-messages.js';
import { type PortTarget, portFailure } from './port-target.js';
import { written } from './remote-streams.js';

/** Source: `ProtocolV1Name` and the handlers in kubelet `pkg/cri/streaming/portforward`. */
const PROTOCOL = 'portforward.k8s.io';
const STREAM_TYPE = 'streamtype';
const PORT = 'port';
const REQUEST_ID = 'requestid';
/** For the second stream of a pair, in real time. */
const STREAMS_WITHIN_MS = 30_000;

/**
 * Connections to ports of a Pod, as `kubectl port-forward` asks for them: a pair of streams for each, one for data and one for errors. Clients that name the
 * ports in the query can have them over the messages of a WebSocket.
 *
 * @throws StatusError 400 for a Pod that has no address yet
 */
export function podPortForward({ metadata, status }: Pod, query: URLSearchParams): SubresourceConnection {
  const address = status?.podIP ?? '';
  if (address === '') throw badRequest(`pod "${metadata.name}" has no address yet`);
  const of = { address, name: `${metadata.name}_${metadata.namespace}`, uid: metadata.uid ?? '' };
  const ports = portsOf(query);
  return {
    type: 'connection',
    messages: ports.length === 0 ? undefined : { protocols: PORT_PROTOCOLS, serve: (channel) => forwardPorts(channel, ports, of) },
    streams: { protocols: [PROTOCOL], serve: (connection) => serve(connection, of) },
  };
}

interface Pair {
  error?: StreamOfConnection;
  data?: StreamOfConnection;
  readonly limit: NodeJS.Timeout;
}

/** @throws StatusError 400 */
function portsOf(query: URLSearchParams): readonly number[] {
  const ports = query.getAll('ports').flatMap((text) => text.split(',').map(Number));
  if (ports.includes(0)) throw badRequest('port "0" must be > 0');
  if (ports.length > MOST_PORTS) throw badRequest(`at most ${MOST_PORTS} ports can be forwarded over one connection, got ${ports.length}`);
  return ports;
}

function serve(connection: StreamConnection, target: PortTarget): Promise<void> {
  const pairs = new Map<string, Pair>();
  const sockets = new Set<Socket>();
  connection.onStream((stream) => {
    const type = stream.headers.get(STREAM_TYPE);
    const port = Number(stream.headers.get(PORT));
    if ((type !== 'data' && type !== 'error') || !Number.isInteger(port) || port < 1 || port > 65_535) {
      void stream.reset();
      return;
    }
    const id = requestIdOf(stream, type);
    const pair = pairs.get(id) ?? { limit: setTimeout(() => abandon(pairs, id), STREAMS_WITHIN_MS) };
    pairs.set(id, pair);
    if (pair[type] !== undefined) {
      void stream.reset();
      return;
    }
    pair[type] = stream;
    const { error, data } = pair;
    if (error === undefined || data === undefined) return;
    clearTimeout(pair.limit);
    pairs.delete(id);
    const socket = connect({ host: target.address, port, allowHalfOpen: true, noDelay: true });
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    forward({ socket, data, error }, (reason) => portFailure(port, target, reason));
  });
  return new Promise((resolve) => {
    connection.onClose(() => {
      for (const { limit } of pairs.values()) clearTimeout(limit);
      for (const socket of sockets) socket.destroy();
      resolve();
    });
  });
}

/** Clients before 1.2 sent none: their streams of a pair have numbers that follow each other. */
function requestIdOf({ id, headers }: StreamOfConnection, type: 'data' | 'error'): string {
  return headers.get(REQUEST_ID) ?? String(type === 'error' ? id : id - 2);
}

function abandon(pairs: Map<string, Pair>, id: string): void {
  const { data, error } = pairs.get(id) ?? {};
  pairs.delete(id);
  void data?.reset();
  void error?.reset();
}

interface Forwarded {
  readonly socket: Socket;
  readonly data: StreamOfConnection;
  readonly error: StreamOfConnection;
}

/** Each direction ends on its own; the errors end when the Pod has said its last. */
function forward({ socket, data, error }: Forwarded, textOf: (reason: string) => string): void {
  let failure: string | undefined;
  data.onData((bytes) => written(socket, bytes));
  data.onEnd(() => socket.end());
  socket.on('data', (chunk: Buffer) => {
    socket.pause();
    void data.send(chunk).then(() => socket.resume());
  });
  socket.on('error', ({ message }) => {
    failure = message;
  });
  const finish = async (): Promise<void> => {
    if (failure === undefined) await data.end();
    else {
      await error.send(Buffer.from(textOf(failure)));
      await data.reset();
    }
    await error.end();
  };
  socket.once('end', () => void finish());
  socket.once('close', () => void finish());
}
