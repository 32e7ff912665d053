import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { LocalNames } from '../../../../examples/etcd/client/local-names.js';
import type { Entry } from '../membership/index.js';

/** Where operators that are processes ask for addresses and names, and tell what they do with the membership. They wait for the answer. */
export class Desk {
  readonly url: string;
  readonly #server: Server;

  static async open(names: LocalNames, take: (entry: Entry) => Promise<void>): Promise<Desk> {
    const answerTo = async (request: IncomingMessage): Promise<string> => {
      const body = await text(request);
      if (request.url === '/address') return names.toAddress(body);
      if (request.url === '/name') return names.toName(body);
      await take(JSON.parse(body) as Entry);
      return '';
    };
    const server = createServer((request, response) => {
      answerTo(request).then(
        (answer) => response.end(answer),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Desk(server);
  }

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
