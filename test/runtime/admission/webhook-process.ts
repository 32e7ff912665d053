import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { dirname, join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { heapMegabytes, nodeOptions } from '../../../src/keelson/constructs/deployment/memory-limit.js';
import { ownTimeMs } from '../../work/own-time.js';

export const MEBIBYTE: number = 1024 * 1024;
/** The default limit of the Deployment's container. */
export const LIMIT: number = 256 * MEBIBYTE;
const HEAP_OPTIONS = nodeOptions(heapMegabytes(undefined as never, '256Mi') as number).split(' ');

export const heap = (items: string, name = 'a', version = 'v1'): string =>
  `{"apiVersion":"heap.example.com/${version}","kind":"Heap","metadata":{"name":"${name}"},"spec":{"items":${items}}}`;
export const admission = (object: string): string =>
  `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1","operation":"CREATE","object":${object}}}`;

/** An operator's process, with the heap that the Deployment gives it. */
export class WebhookProcess {
  readonly #child: ChildProcess;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #directory: string;
  #ca = '';
  #port = 0;
  text = '';

  private constructor(bundle: string) {
    this.#directory = dirname(bundle);
    this.#child = spawn(process.execPath, [...HEAP_OPTIONS, bundle], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
  }

  static async start(): Promise<WebhookProcess> {
    // As an image has it: what compiles the sources would count as memory of the operator.
    const directory = mkdtempSync(join(process.cwd(), 'node_modules', '.webhook-process-'));
    const input = join(__dirname, 'fixtures', 'webhook-process.ts');
    const bundler = join('node_modules', 'rolldown', 'bin', 'cli.mjs');
    execFileSync(process.execPath, [bundler, input, '--format', 'esm', '--platform', 'node', '--dir', directory]);
    const server = new WebhookProcess(join(directory, 'webhook-process.js'));
    await server.#ready();
    return server;
  }

  async #ready(): Promise<void> {
    const said = (await Promise.race([once(this.#child, 'message'), once(this.#child, 'exit')])) as [{ port: number; ca: string } | number];
    if (typeof said[0] !== 'object') throw new Error(`the process ended before it served:\n${this.text}`);
    const [{ port, ca }] = said;
    [this.#port, this.#ca] = [port, ca];
  }

  async memory(): Promise<{ readonly peakBytes: number; readonly heapBytes: number }> {
    const answered = once(this.#child, 'message');
    this.#child.send('memory');
    const [memory] = (await answered) as [{ peakBytes: number; heapBytes: number }];
    return memory;
  }

  /** @param agent - default: that of all requests without one */
  post(path: string, body: string, agent: Agent = this.#agent): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const where = { host: '127.0.0.1', port: this.#port, ca: this.#ca, servername: 'heap.test.svc', agent };
      const call = request({ ...where, path: `${path}?timeout=30s`, method: 'POST', headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      call.on('error', (error) =>
        reject(new Error(`${error.message}; exit code ${this.#child.exitCode}, ${this.#child.signalCode}\n${this.text}`)),
      );
      call.end(body);
    });
  }

  /** A connection of its own, on which a test writes what it likes. */
  async connection(): Promise<TLSSocket> {
    const socket = connect({ host: '127.0.0.1', port: this.#port, ca: this.#ca, servername: 'heap.test.svc' });
    socket.on('error', () => undefined).resume();
    await once(socket, 'secureConnect');
    return socket;
  }

  async answersOthers(): Promise<void> {
    const startedMs = this.#ownTimeMs;
    const { status, text } = await this.post('/validating/heap.example.com/v1/heaps', admission(heap('[]')));
    expect([status, text]).toEqual([200, expect.stringContaining('"allowed":true')]);
    expect(this.#ownTimeMs - startedMs).toBeLessThan(10_000);
  }

  /** The server's, which may wait for the CPU while its clients have it. */
  get #ownTimeMs(): number {
    return ownTimeMs(this.#child.pid);
  }

  async end(): Promise<void> {
    this.#agent.destroy();
    rmSync(this.#directory, { recursive: true });
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'close');
  }
}
