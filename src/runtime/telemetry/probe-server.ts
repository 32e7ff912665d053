import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Logger, RUNTIME_CONTRACT } from 'keelson/internal/definition';
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

/** A process that is not ready after so long has started all the same: the readiness probe speaks from then on, and nothing is restarted. */
const START_MS = 30_000;

/**
 * Answers the probes of the kubelet: `/healthz` and `/readyz`, single checks below them, `?verbose` and `?exclude=<check>` as the API server's own. `/startupz` is
 * for a startup probe that asks often, so that the Pod is ready as soon as the process is: it passes once the process is ready, or 30 seconds after its start.
 *
 * Guarantees: 200 or 500 within four seconds, however checks behave; liveness fails when the event loop was blocked beyond the bound (H58), never because a
 * watch comes and goes (H27), unless the host gives such a check.
 */
export class ProbeServer {
  readonly #listener: HttpListener;
  readonly #eventLoop: EventLoopWatch;
  readonly #clock: Clock;
  readonly #readiness: HealthChecks;
  #startedMs = 0;
  #hasStarted = false;
  readonly #checks: ReadonlyMap<string, HealthChecks>;

  constructor({ port, host, clock, log, liveness = [], readiness = [], eventLoopBoundMs }: ProbeServerOptions) {
    this.#clock = clock;
    this.#eventLoop = new EventLoopWatch({ clock, log, boundMs: eventLoopBoundMs });
    this.#readiness = new HealthChecks('readyz', readiness, { clock, log });
    const { paths } = RUNTIME_CONTRACT;
    this.#checks = new Map([
      [paths.liveness, new HealthChecks('healthz', [this.#eventLoop.check, ...liveness], { clock, log })],
      [paths.readiness, this.#readiness],
    ]);
    this.#listener = new HttpListener({ what: 'probes', port, host, clock, log, handle: (...exchange) => this.#handle(...exchange) });
  }

  /** @throws TelemetryServerError when the port cannot be had */
  async start(): Promise<{ readonly port: number }> {
    const address = await this.#listener.start();
    this.#eventLoop.start();
    this.#startedMs = this.#clock.monotonicMs();
    return address;
  }

  async stop(): Promise<void> {
    this.#eventLoop.stop();
    await this.#listener.stop();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { startup } = RUNTIME_CONTRACT.paths;
    const path = pathOf(request);
    if (path === startup) {
      this.#hasStarted ||= this.#clock.monotonicMs() - this.#startedMs >= START_MS || (await this.#readiness.allPass());
      answer(response, this.#hasStarted ? 200 : 500, this.#hasStarted ? 'ok' : 'it is starting: /readyz does not pass yet\n');
      return;
    }
    const [, name = '', only, ...rest] = path.split('/');
    const checks = this.#checks.get(`/${name}`);
    if (checks === undefined || rest.length > 0 || (only !== undefined && only !== '' && !checks.has(only))) {
      answer(response, 404, `not found; there are ${[...this.#checks.keys()].join(', ')} and ${startup}\n`);
      return;
    }
    const query = queryOf(request);
    const { isHealthy, text } = await checks.report({ only: only === '' ? undefined : only, excluded: query.getAll('exclude') });
    answer(response, isHealthy ? 200 : 500, isHealthy && !query.has('verbose') ? 'ok' : text);
  }
}
