import { Agent, request } from 'node:https';
import { defineOperator, type Webhook } from 'keelson';
import type { OperatorModel } from '../../../src/keelson/definition/index.js';
import { groupVersionOf } from '../../../src/kubernetes/apimachinery/index.js';
import { CertificateAuthority, type KeyPair } from '../../../src/kubernetes/certificates/index.js';
import { type ServingSource, WebhookServer, type WebhookServerOptions } from '../../../src/runtime/admission/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { MemoryLog } from '../harness/running-controller.js';

export const AUTHORITY: CertificateAuthority = CertificateAuthority.create({ commonName: 'test' });
export const PAIR: KeyPair = AUTHORITY.issueServing({ dnsNames: ['hook.test.svc'] });

/** A certificate that a test changes. */
export class ManualSource implements ServingSource {
  readonly #listeners = new Set<(pair: KeyPair) => void>();
  current: KeyPair | undefined;

  constructor(pair: KeyPair | undefined = PAIR) {
    this.current = pair;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  onChange(listener: (pair: KeyPair) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  set(pair: KeyPair): void {
    this.current = pair;
    for (const listener of this.#listeners) listener(pair);
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The answer as JSON. */
  readonly json: never;
}

export interface PostOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly agent?: Agent;
  readonly ca?: string;
  readonly signal?: AbortSignal;
}

const running = new Set<Served>();

/** Ends whatever a test has left running. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((served) => served.close()));
}

/** A webhook server with some webhooks, and the client that asks it. */
export class Served {
  readonly clock = new FakeClock();
  readonly log = new MemoryLog();
  readonly told: string[] = [];
  readonly agent = new Agent({ keepAlive: true });
  readonly source: ManualSource;
  readonly server: WebhookServer;
  port = 0;

  constructor(operator: Pick<OperatorModel, 'webhooks' | 'customResources'>, options: Partial<WebhookServerOptions> = {}) {
    this.source = (options.certificate as ManualSource | undefined) ?? new ManualSource();
    this.server = new WebhookServer({
      operator,
      port: 0,
      host: '127.0.0.1',
      clock: this.clock,
      log: this.log,
      lingerMs: 0,
      observer: {
        started: (path) => this.told.push(`started ${path}`),
        finished: (path, code) => this.told.push(`finished ${path} ${code}`),
        panicked: (path) => this.told.push(`panicked ${path}`),
      },
      ...options,
      certificate: this.source,
    });
  }

  static async start(webhooks: readonly Webhook[], options: Partial<WebhookServerOptions> = {}): Promise<Served> {
    return Served.of(defineOperator({ name: 'test', controllers: [], webhooks }), options);
  }

  static async of(
    operator: Pick<OperatorModel, 'webhooks' | 'customResources'>,
    options: Partial<WebhookServerOptions> = {},
  ): Promise<Served> {
    const served = new Served(operator, options);
    running.add(served);
    ({ port: served.port } = await served.server.start());
    return served;
  }

  post(path: string, body: unknown, options: PostOptions = {}): Promise<Answer> {
    const { method = 'POST', headers = {}, agent = this.agent, ca = AUTHORITY.certificate, signal } = options;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const call = request(
        {
          host: '127.0.0.1',
          port: this.port,
          path,
          method,
          ca,
          servername: 'hook.test.svc',
          agent,
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers },
          ...(signal === undefined ? {} : { signal }),
        },
        (response) => {
          let answer = '';
          response.setEncoding('utf8').on('data', (chunk: string) => {
            answer += chunk;
          });
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: answer,
              get json() {
                return JSON.parse(answer) as never;
              },
            }),
          );
          response.on('error', reject);
        },
      );
      call.on('error', reject);
      call.end(text);
    });
  }

  async close(): Promise<void> {
    running.delete(this);
    this.agent.destroy();
    await this.server.stop();
  }
}

interface ReviewOptions {
  readonly operation?: string;
  readonly object?: object | null;
  readonly oldObject?: object | null;
  readonly [field: string]: unknown;
}

/** An AdmissionReview as an API server sends it. */
export function review(
  { operation = 'CREATE', object = null, oldObject = null, ...rest }: ReviewOptions,
  apiVersion = 'admission.k8s.io/v1',
): object {
  const shown = (object ?? oldObject) as { apiVersion?: string; kind?: string; metadata?: { name?: string; namespace?: string } } | null;
  const { group, version } = groupVersionOf(shown?.apiVersion ?? '');
  const { name, namespace } = shown?.metadata ?? {};
  return {
    kind: 'AdmissionReview',
    apiVersion,
    request: {
      uid: 'u-1',
      kind: { group, version, kind: shown?.kind },
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      operation,
      userInfo: { username: 'jane', groups: ['a', 'b'], extra: { scope: ['x'] } },
      object,
      oldObject,
      dryRun: false,
      options: null,
      ...rest,
    },
  };
}

export interface Response {
  readonly uid: string;
  readonly allowed: boolean;
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
  readonly status?: { readonly code: number; readonly reason: string; readonly message: string; readonly details?: unknown };
}

/** The response of an answered review. */
export function responseOf(answer: Answer): Response {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return (answer.json as { response: Response }).response;
}

export function patchOf(answer: Answer): unknown {
  const { patch } = responseOf(answer);
  return patch === undefined ? undefined : JSON.parse(Buffer.from(patch, 'base64').toString('utf8'));
}
