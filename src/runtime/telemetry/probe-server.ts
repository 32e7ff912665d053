import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Logger, RUNTIME_CONTRACT } from '../../definition/index.js';
import type { Clock } from '../clock/index.js';
import { EventLoopWatch } from './event-loop.js';
import { type HealthCheck, HealthChecks } from './health-check.js';
import { answer, HttpListener, pathOf, queryOf } from './http-listener.js';

export interface ProbeServerOptions {
  readonly port: number;
  readonly host?: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** Only what a restart mends; what the API server does is not such a thing (H27). The event loop is checked anyway. */
  readonly liveness?: readonly HealthCheck[] | undefined;
  /** Whether work can be done: caches synced, certificate valid. */
  readonly readiness?: readonly HealthCheck[] | undefined;
  /** Longest delay of the event loop that is not a problem, in milliseconds. @defaultValue 10_000 */
  readonly eventLoopBoundMs?: number | undefined;
}

/**
 * Answers the probes of the kubelet: `/healthz` and `/readyz`, single checks below them, `?verbose` and `?exclude=<check>` as the API server's own.
 *
 * Guarantees: 200 or 500 within four seconds, however checks behave; liveness fails when the event loop was blocked beyond the bound (H58), never because a
 * watch comes and goes (H27), unless the host gives such a check.
 */
export class ProbeServer {
  readonly #listener: HttpListener;
  readonly #eventLoop: EventLoopWatch;
  readonly #checks: ReadonlyMap<string, HealthChecks>;

  constructor({ port, host, clock, log, liveness = [], readiness = [], eventLoopBoundMs }: ProbeServerOptions) {
    this.#eventLoop = new EventLoopWatch({ clock, log, boundMs: eventLoopBoundMs });
    const { paths } = RUNTIME_CONTRACT;
    this.#checks = new Map([
      [paths.liveness, new HealthChecks('healthz', [this.#eventLoop.check, ...liveness], { clock, log })],
      [paths.readiness, new HealthChecks('readyz', readiness, { clock, log })],
    ]);
    this.#listener = new HttpListener({ what: 'probes', port, host, clock, log, handle: (...exchange) => this.#handle(...exchange) });
  }

  /** @throws TelemetryServerError when the port cannot be had */
  async start(): Promise<{ readonly port: number }> {
    const address = await this.#listener.start();
    this.#eventLoop.start();
    return address;
  }

  async stop(): Promise<void> {
    this.#eventLoop.stop();
    await this.#listener.stop();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = '', only, ...rest] = pathOf(request).split('/');
    const checks = this.#checks.get(`/${name}`);
    if (checks === undefined || rest.length > 0 || (only !== undefined && only !== '' && !checks.has(only))) {
      answer(response, 404, `not found; there are ${[...this.#checks.keys()].join(' and ')}\n`);
      return;
    }
    const query = queryOf(request);
    const { isHealthy, text } = await checks.report({ only: only === '' ? undefined : only, excluded: query.getAll('exclude') });
    answer(response, isHealthy ? 200 : 500, isHealthy && !query.has('verbose') ? 'ok' : text);
  }
}
