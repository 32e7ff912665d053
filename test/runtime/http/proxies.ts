import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface TestProxy {
  readonly port: number;
  /** `host:port` of each tunnel, in order. */
  readonly targets: readonly string[];
  /** Headers of each CONNECT. */
  readonly headers: readonly Readonly<Record<string, unknown>>[];
  close(): Promise<void>;
}

/** A proxy that leads every tunnel to one server, whatever its name. @param status what it answers to CONNECT; `undefined`: nothing at all */
export async function connectProxy(serverPort: number, status: number | undefined = 200): Promise<TestProxy> {
  const targets: string[] = [];
  const headers: Readonly<Record<string, unknown>>[] = [];
  const server = createHttpServer((_, response) => response.writeHead(405).end());
  server.on('connect', (request, socket: Socket) => {
    targets.push(request.url ?? '');
    headers.push(request.headers);
    if (status === undefined) return;
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} Refused\r\nProxy-Authenticate: Basic\r\n\r\n`);
      return;
    }
    const to = connect(serverPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      to.pipe(socket).pipe(to);
    });
    for (const end of [socket, to])
      end.on('error', () => {
        socket.destroy();
        to.destroy();
      });
  });
  return started(server, { targets, headers });
}

/** As much of a SOCKS 5 server (RFC 1928, 1929) as takes a name, with a password or without. */
export async function socksProxy(serverPort: number, password?: string): Promise<TestProxy> {
  const targets: string[] = [];
  const server = createServer((socket) => {
    const steps = [
      () => socket.write(Buffer.from([5, password === undefined ? 0 : 2])),
      ...(password === undefined
        ? []
        : [
            (sent: Buffer) => {
              const nameLength = sent[1] ?? 0;
              const isRight = sent.subarray(3 + nameLength).toString() === password;
              socket.write(Buffer.from([1, isRight ? 0 : 1]));
            },
          ]),
      (sent: Buffer) => {
        const isName = sent[3] === 3;
        const host = isName ? sent.subarray(5, 5 + (sent[4] ?? 0)).toString() : [...sent.subarray(4, 8)].join('.');
        targets.push(`${host}:${sent.readUInt16BE(sent.length - 2)}`);
        const to = connect(serverPort, '127.0.0.1', () => {
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          to.pipe(socket).pipe(to);
        });
        to.on('error', () => socket.destroy());
      },
    ];
    const onData = (sent: Buffer): void => {
      const step = steps.shift();
      if (steps.length === 0) socket.off('data', onData);
      step?.(sent);
    };
    socket.on('data', onData).on('error', () => socket.destroy());
  });
  return started(server, { targets, headers: [] });
}

async function started(server: Server, seen: Pick<TestProxy, 'targets' | 'headers'>): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { port: (server.address() as AddressInfo).port, ...seen, close };
}
