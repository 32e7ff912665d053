import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { type Connection, openAgents } from '@keelson/runtime/internal/http';
import { WebSocket } from 'ws';
import { WhyError } from '../errors.js';

/** A port of a Pod. */
export interface PodPort {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
}

/** The first byte of a message is its channel. Source: kubelet `pkg/cri/streaming/portforward/websocket.go`. */
const PROTOCOL = 'v4.channel.k8s.io';
const DATA = 0;
const ERROR = 1;
/** Before anything else each channel carries the number of its port, in two bytes. */
const PORT_BYTES = 2;
const CONNECT_MS = 10_000;
/** A kubelet sends 32 KiB at most in one message. */
const MOST_BYTES = 1 << 20;
/** A refusal is a `Status` of some hundred characters. */
const MOST_REFUSAL_CHARACTERS = 4_096;

/** Opens a connection to a port of a Pod through the API server, as `kubectl port-forward` does. @throws WhyError */
export async function connectToPodPort(connection: Connection, { namespace, pod, port }: PodPort): Promise<Duplex> {
  const { headers, tls } = await connection.access.current();
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/portforward?ports=${port}`;
  const url = `${connection.server.replace(/^http/, 'ws').replace(/\/$/, '')}${path}`;
  const { protocol } = new URL(connection.server);
  const socket = new WebSocket(url, [PROTOCOL], {
    ...tls,
    // The way of all requests to the server: through a proxy where there is one.
    agent: openAgents({ protocol, tls, maxSockets: 1, proxy: connection.proxy }).single,
    // Node sends each of several values in a header of its own; the types of ws know one value only.
    headers: headers as Record<string, string>,
    handshakeTimeout: CONNECT_MS,
    maxPayload: MOST_BYTES,
    followRedirects: false,
  });
  const where = `port ${port} of Pod ${namespace}/${pod}`;
  await new Promise<void>((resolve, reject) => {
    const failed = (reason: string): void => reject(new WhyError(`${connection.origin}: ${where} cannot be reached: ${reason}`));
    socket.once('open', resolve);
    socket.once('error', ({ message }) => failed(message));
    socket.once('unexpected-response', (request, response) => {
      void refusalOf(response)
        .then(failed)
        .finally(() => request.destroy());
    });
  });
  return new PodPortStream(socket, where);
}

/** The message of the server's `Status`, which says whose right is missing. */
async function refusalOf(response: IncomingMessage): Promise<string> {
  const byStatus = `the server answered ${response.statusCode}`;
  try {
    let answer = '';
    for await (const part of response.setEncoding('utf8')) {
      answer += String(part);
      if (answer.length > MOST_REFUSAL_CHARACTERS) return byStatus;
    }
    const { message } = JSON.parse(answer) as { readonly message?: unknown };
    return typeof message === 'string' ? message : byStatus;
  } catch {
    // Something before the API server answers with a page, or with half of one.
    return byStatus;
  }
}

/** The bytes of one port. There is no way to end one direction alone: both end together. */
class PodPortStream extends Duplex {
  readonly #socket: WebSocket;
  /** Bytes of the port's number that have not come yet. */
  #numberBytes = { [DATA]: PORT_BYTES, [ERROR]: PORT_BYTES };

  constructor(socket: WebSocket, where: string) {
    super();
    this.#socket = socket;
    socket.on('message', (message: Buffer) => this.#received(message, where));
    socket.once('close', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.send(Buffer.concat([Buffer.from([DATA]), chunk]), (error) => done(error ?? null));
  }

  override _final(done: () => void): void {
    this.#socket.close();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.terminate();
    done(error);
  }

  #received(message: Buffer, where: string): void {
    const channel = message[0];
    if (channel !== DATA && channel !== ERROR) return;
    const skipped = Math.min(this.#numberBytes[channel], message.length - 1);
    this.#numberBytes[channel] -= skipped;
    const content = message.subarray(1 + skipped);
    if (content.length === 0) return;
    if (channel === ERROR) this.destroy(new WhyError(`${where}: ${content.toString('utf8').trim()}`));
    else if (!this.push(content)) this.#socket.pause();
  }
}
