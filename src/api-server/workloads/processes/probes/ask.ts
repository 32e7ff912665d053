import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { connect } from 'node:net';
import type { Container, LifecycleHandler, Probe } from '@keelson/kubernetes/kinds';
import { KUBERNETES_MINOR } from '@keelson/kubernetes/version';
import type { Answer } from './answer.js';
import { askGrpc } from './grpc-health.js';

/** The container as a probe or hook sees it. */
export interface Asked {
  readonly container: Container;
  readonly address: string;
  /** Runs a command in the container. */
  run(command: readonly string[], timeoutMs: number): Promise<Answer>;
}

type Handler = Pick<Probe, 'exec' | 'grpc' | 'httpGet' | 'tcpSocket'> & Pick<LifecycleHandler, 'sleep'>;
type HttpGet = NonNullable<Probe['httpGet']>;

const MOST_TEXT = 512;

/** Asks a container once, within real time: how a process answers is not a matter of the server's clock. */
export async function ask(handler: Handler, asked: Asked, timeoutMs: number): Promise<Answer> {
  const { exec, httpGet, tcpSocket, grpc } = handler;
  if (exec !== undefined) return asked.run(exec.command ?? [], timeoutMs);
  if (httpGet !== undefined) return askHttp(httpGet, asked, timeoutMs);
  if (tcpSocket !== undefined) return askTcp(hostOf(tcpSocket.host, asked), portOf(tcpSocket.port, asked.container), timeoutMs);
  if (grpc !== undefined) return askGrpc({ host: asked.address, port: grpc.port, service: grpc.service ?? '', timeoutMs });
  return { isSuccess: true, text: '' };
}

/** Within the Pod `localhost` is the Pod. */
function hostOf(host: string | undefined, { address }: Asked): string {
  return host === undefined || host === '' || host === 'localhost' || host === '127.0.0.1' ? address : host;
}

function portOf(port: number | string, { ports = [] }: Container): number {
  if (typeof port === 'number') return port;
  return ports.find(({ name }) => name === port)?.containerPort ?? Number(port);
}

function failed(error: unknown): Answer {
  return { isSuccess: false, text: String((error as Error).message ?? error).slice(0, MOST_TEXT) };
}

/** Source: kubernetes `pkg/probe/http`: 200 to 399 is success, certificates are not verified. */
function askHttp(httpGet: HttpGet, asked: Asked, timeoutMs: number): Promise<Answer> {
  const { path = '/', scheme = 'HTTP', httpHeaders = [], port } = httpGet;
  const host = hostOf(httpGet.host, asked);
  const headers = {
    'User-Agent': `kube-probe/${KUBERNETES_MINOR}`,
    Accept: '*/*',
    ...Object.fromEntries(httpHeaders.map(({ name, value }) => [name, value])),
  };
  const number = portOf(port, asked.container);
  const options = {
    host,
    port: number,
    path: path.startsWith('/') ? path : `/${path}`,
    headers,
    agent: false as const,
    timeout: timeoutMs,
  };
  return new Promise((resolve) => {
    const onAnswer = (message: IncomingMessage): void => {
      const { statusCode = 0 } = message;
      message.destroy();
      const isSuccess = statusCode >= 200 && statusCode < 400;
      resolve({ isSuccess, text: isSuccess ? '' : `HTTP probe failed with statuscode: ${statusCode}` });
    };
    const sent = scheme === 'HTTPS' ? requestSecure({ ...options, rejectUnauthorized: false }, onAnswer) : requestPlain(options, onAnswer);
    const limit = setTimeout(() => sent.destroy(new Error('context deadline exceeded')), timeoutMs);
    sent.once('error', (error) => resolve(failed(error)));
    sent.once('close', () => clearTimeout(limit));
    sent.end();
  });
}

function askTcp(host: string, port: number, timeoutMs: number): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    socket.once('connect', () => {
      socket.destroy();
      resolve({ isSuccess: true, text: '' });
    });
    socket.once('timeout', () => socket.destroy(new Error('i/o timeout')));
    socket.once('error', (error) => resolve(failed(error)));
  });
}
