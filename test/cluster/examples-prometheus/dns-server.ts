import { spawnSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program finds its name servers in `/etc/resolv.conf`, with port 53 always: both are to be had by root alone, and the file in a mount namespace alone. */
export const whyNoNames: string | undefined =
  spawnSync('unshare', ['--mount', 'true']).status === 0 && process.getuid?.() === 0
    ? undefined
    : 'name servers of its own are for root, with unshare of util-linux';

/** As the wire has them: RFC 1035, and RFC 2782 for SRV. */
const TYPES = { A: 1, SRV: 33 };
const INTERNET = 1;
/** An answer, by the authority, to a client that wished for recursion. */
const ANSWER = 0x8500;
const HEADER_BYTES = 12;
/** The name that the question is about, which follows the header. */
const SAME_NAME = 0xc000 + HEADER_BYTES;

interface Records {
  readonly A?: readonly string[];
  readonly SRV?: readonly { readonly target: string; readonly port: number }[];
}

/** A name server at an address of this machine. */
export class DnsServer {
  /** By name, without the dot at the end. May be changed. */
  readonly names = new Map<string, Records>();
  readonly #socket: Socket;
  readonly #folder: string;

  private constructor(socket: Socket, folder: string) {
    this.#socket = socket;
    this.#folder = folder;
    socket.on('message', (query, { port, address }) => socket.send(this.#answer(query), port, address));
  }

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    const address = `127.15.${1 + Math.floor(Math.random() * 250)}.${1 + Math.floor(Math.random() * 250)}`;
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(53, address, resolve);
    });
    const folder = mkdtempSync(join(tmpdir(), 'keelson-dns-'));
    writeFileSync(join(folder, 'resolv.conf'), `nameserver ${address}\n`);
    return new DnsServer(socket, folder);
  }

  /** A program that asks this server alone. */
  for({ program, args }: { readonly program: string; readonly args: readonly string[] }) {
    const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';
    return { program: 'unshare', args: ['--mount', 'sh', '-c', script, join(this.#folder, 'resolv.conf'), program, ...args] };
  }

  close(): void {
    this.#socket.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #answer(query: Buffer): Buffer {
    const { name, end } = nameAt(query, HEADER_BYTES);
    const type = query.readUInt16BE(end);
    const { A = [], SRV = [] } = this.names.get(name.toLowerCase()) ?? {};
    const data =
      type === TYPES.A
        ? A.map((address) => Buffer.from(address.split('.').map(Number)))
        : type === TYPES.SRV
          ? SRV.map(({ target, port }) => Buffer.concat([numbers(0, 0, port), encodedName(target)]))
          : [];
    const header = Buffer.concat([query.subarray(0, 2), numbers(ANSWER, 1, data.length, 0, 0)]);
    const question = query.subarray(HEADER_BYTES, end + 4);
    const answers = data.map((one) => Buffer.concat([numbers(SAME_NAME, type, INTERNET, 0, 1, one.length), one]));
    return Buffer.concat([header, question, ...answers]);
  }
}

const numbers = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
};

const encodedName = (name: string): Buffer =>
  Buffer.concat([...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])), Buffer.alloc(1)]);

function nameAt(message: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}
