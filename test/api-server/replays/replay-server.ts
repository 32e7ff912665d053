import { request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { FakeClock } from '../../../src/api-server/clock/index.js';
import { ApiServer, type ServerProblem } from '../../../src/api-server/server/index.js';
import type { Exchange } from './recordings.js';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** What the recordings have of an object: enough to store it again. */
export interface RecordedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string; readonly namespace: string };
  readonly status?: unknown;
}

const PLURALS: Readonly<Record<string, string>> = {
  Deployment: '/apis/apps/v1/namespaces/:ns/deployments',
  Job: '/apis/batch/v1/namespaces/:ns/jobs',
  Pod: '/api/v1/namespaces/:ns/pods',
};

const collectionOf = (kind: string, namespace: string): string => (PLURALS[kind] ?? '').replace(':ns', namespace);

/** Of metadata, what servers decide themselves. */
const DECIDED_BY_SERVER = ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'deletionTimestamp', 'managedFields'];

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Frames after which a watch is left. Default: to the end. */
  readonly frames?: number;
}

/** A server without controllers: the suites play their part with what was recorded of it. */
export class ReplayServer {
  readonly problems: ServerProblem[] = [];
  readonly #clock = new FakeClock('2026-01-01T00:00:00Z');
  #server: ApiServer | undefined;

  async start(): Promise<void> {
    this.#server = await ApiServer.start({
      protocol: 'http',
      mode: 'envtest',
      clock: this.#clock,
      onProblem: (problem) => this.problems.push(problem),
    });
    for (const namespace of ['default', 'kube-system']) {
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
      await this.#made({ method: 'POST', path: `/api/v1/namespaces/${namespace}/serviceaccounts`, body: JSON.stringify(account) });
    }
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  /** The answer to a recorded request, after the server has done what it does by itself. */
  async replay({
    request_method: method,
    request_url: path,
    request_body: body,
    request_content_type: type,
    response_body,
  }: Exchange): Promise<Answer> {
    await this.#settled();
    this.#reach(response_body);
    const isWatch = /[?&]watch=true/.test(path);
    return this.#send({
      method,
      path,
      body: body ?? undefined,
      headers: type === null ? {} : { 'content-type': type },
      ...(isWatch ? { frames: response_body.trim().split('\n').length } : {}),
    });
  }

  /** Stores an object as it was recorded, its status too. */
  async store(object: RecordedObject): Promise<void> {
    const { status, ...rest } = object;
    const { namespace } = object.metadata;
    const metadata = Object.fromEntries(Object.entries(object.metadata).filter(([key]) => !DECIDED_BY_SERVER.includes(key)));
    const path = collectionOf(object.kind, namespace);
    const body = JSON.stringify({ ...rest, metadata });
    await this.#made({ method: 'POST', path, body });
    if (status !== undefined) await this.report(object);
  }

  /** Frees objects from their owners, as the garbage collector does when those go and leave them. */
  async orphan({ kind, metadata: { name, namespace } }: RecordedObject): Promise<void> {
    const headers = { 'content-type': 'application/merge-patch+json' };
    const path = `${collectionOf(kind, namespace)}/${name}`;
    await this.#made({ method: 'PATCH', path, headers, body: '{"metadata":{"ownerReferences":null}}' });
  }

  /** Writes a status as the controller did whose manager is recorded for it. */
  async report(object: RecordedObject): Promise<void> {
    const {
      apiVersion,
      kind,
      metadata: { name, namespace },
      status,
    } = object;
    this.#reach(JSON.stringify(object));
    const path = `${collectionOf(kind, namespace)}/${name}`;
    const found = JSON.parse((await this.#send({ method: 'GET', path })).body) as RecordedObject;
    const body = JSON.stringify({ ...found, apiVersion, kind, status });
    await this.#made({ method: 'PUT', path: `${path}/status`, body, headers: { 'user-agent': 'kube-controller-manager/v1' } });
  }

  /** Lets it be as late as it was: managers of fields are listed by time. */
  #reach(recorded: string): void {
    const times = [...recorded.matchAll(/"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"/g)].map(([, time]) => Date.parse(time as string));
    const missing = Math.max(...times, 0) - this.#clock.now().getTime();
    if (missing > 0) this.#clock.advance(missing);
  }

  async #made(sent: Sent): Promise<void> {
    const { status, body } = await this.#send({ ...sent, headers: { 'content-type': 'application/json', ...sent.headers } });
    if (status >= 300) throw new Error(`${sent.method} ${sent.path} was answered with ${status}: ${body}`);
  }

  async #settled(): Promise<void> {
    while (this.#server?.isIdle === false) await setImmediate();
  }

  /** Without a User-Agent, as in the recordings: their field manager is `unknown`. */
  #send({ method, path, body, headers, frames = Number.POSITIVE_INFINITY }: Sent): Promise<Answer> {
    const token = this.#server?.tokenFor() ?? '';
    return new Promise((resolve, reject) => {
      const options = { method, agent: false, headers: { ...headers, authorization: `Bearer ${token}` } };
      const sent = request(new URL(path, this.#server?.url), options, (response) => {
        let text = '';
        const finish = (body: string): void => resolve({ status: response.statusCode ?? 0, body });
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          const lines = text.split('\n');
          if (lines.length <= frames) return;
          finish(`${lines.slice(0, frames).join('\n')}\n`);
          response.destroy();
        });
        response.on('end', () => finish(text)).on('error', reject);
      });
      sent.on('error', reject).end(body);
    });
  }
}
