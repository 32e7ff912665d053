import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';

interface Listening {
  readonly port: number;
  readonly isSecure: boolean;
}

/** As bytes of HTTP/1.1. */
export const requestOf = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;

/** A connection that reads when it is told to. */
export function connected({ port, isSecure }: Listening): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const done = (): void => resolve(socket);
    const socket: Socket = isSecure
      ? connectSecure({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] }, done)
      : connectPlain(port, '127.0.0.1', done);
    socket.once('error', reject).pause();
  });
}
