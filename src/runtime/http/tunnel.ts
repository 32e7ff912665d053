import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { withoutPassword } from './without-password.js';

export interface TunnelTarget {
  readonly host: string;
  readonly port: number;
}

/** A proxy that accepts a connection and says nothing. The deadline of the request that waits is the caller's. */
const TUNNEL_MS = 10_000;

/** Opens a connection to a server through a proxy: by CONNECT, or by SOCKS 5, where the proxy looks up the name. */
export async function openTunnel(proxy: string, target: TunnelTarget): Promise<Socket> {
  const url = new URL(proxy);
  try {
    return await (url.protocol.startsWith('socks') ? bySocks(url, target) : byConnect(url, target));
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw Object.assign(new Error(`the proxy ${withoutPassword(proxy)}: ${message}`, { cause: error }), code === undefined ? {} : { code });
  }
}

function byConnect(url: URL, { host, port }: TunnelTarget): Promise<Socket> {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const options: RequestOptions = {
    method: 'CONNECT',
    host: hostOf(url),
    port: url.port || undefined,
    path: authority,
    headers: { host: authority, ...authorizationOf(url) },
    agent: false,
    timeout: TUNNEL_MS,
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(options);
    request.once('connect', ({ statusCode, statusMessage }, socket) => {
      socket.setTimeout(0);
      if (statusCode === 200) return resolve(socket as Socket);
      socket.destroy();
      reject(new Error(`it answered ${statusCode} ${statusMessage} to CONNECT ${authority}`));
    });
    // A proxy that does not know CONNECT answers as to any request.
    request.once('response', (response) => {
      response.destroy();
      reject(new Error(`it answered ${response.statusCode} ${response.statusMessage} to CONNECT ${authority}`));
    });
    request.once('timeout', () => request.destroy(new Error(`it did not answer CONNECT ${authority} within ${TUNNEL_MS / 1_000} s`)));
    request.once('error', reject);
    request.end();
  });
}

async function bySocks(url: URL, destination: TunnelTarget): Promise<Socket> {
  const { SocksClient } = await import('socks');
  const { socket } = await SocksClient.createConnection({
    proxy: {
      host: hostOf(url),
      port: Number(url.port || 1080),
      type: 5,
      ...(url.username === '' ? {} : { userId: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }),
    },
    command: 'connect',
    destination,
    timeout: TUNNEL_MS,
  });
  return socket;
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
