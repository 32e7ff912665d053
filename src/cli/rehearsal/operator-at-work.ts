import type { FakeClock } from '@keelson/api-server';
import { messageOf, OperatorError } from '@keelson/kubernetes/apimachinery';
import { type InProcessCluster, type JournalRun, type RunningOperator, WaitError } from '@keelson/testing';
import type { OperatorModel } from 'keelson/internal/definition';
import { RehearsalError } from '../errors.js';
import { WithheldExternals, withheldCallIn } from './withheld-externals.js';

/** Why an object, or a whole controller, could not be judged. */
export interface RunProblem {
  /**
   * - `failed`: the run threw, or returned an error
   * - `withheld`: it needed an external, which is not called: what follows is known afterwards
   * - `forbidden`: the declared rights do not allow a request
   * - `timeout`: it did not come to its end
   * - `unready`: a controller cannot work, mostly since a kind is not served
   * - `restless`: writes came again and again
   */
  readonly reason: 'failed' | 'forbidden' | 'restless' | 'timeout' | 'unready' | 'withheld';
  /** `Memcached shop/main`, or the part of the operator. */
  readonly subject: string;
  readonly message: string;
}

export interface WorkOptions {
  readonly operator: OperatorModel;
  readonly timeoutMs: number;
  /** Variables that the operator's settings are read from. */
  readonly environment: Readonly<Record<string, string | undefined>> | undefined;
  /** How many objects there are: so many may be under way at once. */
  readonly objects: number;
}

/** A run that hangs keeps its worker: with one for each object it holds up no other. */
const WORKERS = { least: 10, most: 1_000 } as const;
/** Objects that come to rest need one wait, those that write again and again would need all. */
const MOST_WAITS = 3;

const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** An operator that runs on a cluster of this process, with nothing outside: starts, rests, stops, and says what it could not do. */
export class OperatorAtWork {
  readonly #cluster: InProcessCluster<FakeClock>;
  readonly #options: WorkOptions;
  readonly #outside: WithheldExternals;
  #running: RunningOperator | undefined;
  #waits: RunProblem[] = [];
  #runs: readonly JournalRun[] = [];

  constructor(cluster: InProcessCluster<FakeClock>, options: WorkOptions) {
    this.#cluster = cluster;
    this.#options = options;
    this.#outside = new WithheldExternals(options.operator);
  }

  get withheld(): readonly string[] {
    return this.#outside.calls;
  }

  /** @throws RehearsalError for an operator that cannot start, for example as it lacks a setting */
  async start(): Promise<void> {
    const { operator, objects, environment } = this.#options;
    const concurrency = Math.min(Math.max(objects, WORKERS.least), WORKERS.most);
    this.#waits = [];
    try {
      this.#running = await this.#cluster.startOperator({
        externals: this.#outside.externals,
        environment,
        log: SILENT,
        journal: { runs: 2, objects: 100_000 },
        controllers: Object.fromEntries(operator.controllers.map(({ name }) => [name, { concurrency }])),
      } as never);
    } catch (error) {
      const isOfSettings = OperatorError.isOperatorError(error) && error.code === 'KEELSON_SETTINGS';
      const hint = isOfSettings ? '\nGive settings in the environment of this command, as its Deployment does.' : '';
      throw new RehearsalError(`the operator ${operator.name} does not start: ${messageOf(error)}${hint}`, { cause: error });
    }
  }

  /** Resolves when nothing goes on, or when what goes on has had its time. */
  async rest(): Promise<void> {
    for (let wait = 1; ; wait += 1) {
      const { revision } = this.#cluster.server.core.store;
      try {
        await this.#cluster.settled({ timeout: `${this.#options.timeoutMs}ms` });
        return;
      } catch (error) {
        if (!(error instanceof WaitError)) throw error;
        const isStill = this.#cluster.server.core.store.revision === revision;
        if (!isStill && wait < MOST_WAITS) continue;
        if (!isStill) this.#waits.push({ reason: 'restless', subject: this.#options.operator.name, message: error.message });
        return;
      }
    }
  }

  async stop(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    this.#remember();
    this.#running = undefined;
    const stopped = running.stop();
    // The operator gives up runs that hang when the time to drain is over.
    if (this.#unfinished().length > 0) this.#cluster.clock.advance('1m');
    await stopped;
  }

  /** Problems of the last start. */
  problems(): readonly RunProblem[] {
    this.#remember();
    const running = this.#running;
    const unready = running === undefined ? [] : [...running.readinessProblems, ...running.controllerProblems];
    const parts = new Map(unready.map(({ what, why }) => [what, { reason: 'unready', subject: what, message: why } as const]));
    return [...parts.values(), ...this.#waits, ...lastRuns(this.#runs).flatMap((run) => this.#problemOf(run))];
  }

  #remember(): void {
    if (this.#running !== undefined) this.#runs = this.#running.journal();
  }

  #unfinished(): readonly JournalRun[] {
    return this.#runs.filter(({ outcome }) => outcome === undefined);
  }

  #problemOf({ kind, object, outcome }: JournalRun): readonly RunProblem[] {
    const subject = `${kind} ${object}`;
    if (outcome === undefined)
      return [{ reason: 'timeout', subject, message: `the run did not end within ${this.#options.timeoutMs / 1_000} s` }];
    const { error } = outcome;
    if (error === undefined) return [];
    const withheld = withheldCallIn(error);
    if (withheld !== undefined) return [{ reason: 'withheld', subject, message: withheld }];
    return [{ reason: /\bis forbidden: user "system:serviceaccount:/i.test(error) ? 'forbidden' : 'failed', subject, message: error }];
  }
}

/** The last run of each controller for each object. An earlier error does not count if a later run succeeded. */
function lastRuns(runs: readonly JournalRun[]): readonly JournalRun[] {
  return [...new Map(runs.map((run) => [`${run.controller}\n${run.kind}\n${run.object}`, run])).values()];
}
