import { randomUUID } from 'node:crypto';
import type { ControllerModel } from 'keelson/internal/definition';
import type { StoredObject } from '../../cache/index.js';
import type { Breather, Clock } from '../../clock/index.js';
import type { Journal, RunRecord } from '../../journal/index.js';
import type { QueueItem } from '../../queue/index.js';
import { idOf } from '../object-id.js';
import type { ObjectRunner, RunReport } from '../object-runner.js';
import { NO_TRACING, type ReconcileObserver, type ReconcileTracing } from '../observer.js';
import type { LeftRuns } from './left-runs.js';
import type { RunAborts } from './run-aborts.js';
import type { ReadyRun } from './scheduler.js';
import type { RunVerdict } from './verdicts.js';

export interface RunsOptions {
  readonly controller: Pick<ControllerModel, 'name' | 'for'>;
  readonly runner: Pick<ObjectRunner, 'run'>;
  readonly aborts: RunAborts;
  readonly left: LeftRuns;
  readonly clock: Clock;
  readonly breather: Breather;
  /** Runs at the same time. @defaultValue 10 */
  readonly concurrency?: number | undefined;
  readonly observer?: ReconcileObserver | undefined;
  readonly tracing?: ReconcileTracing | undefined;
  readonly journal?: Journal | undefined;
}

/** A run whose report is known. */
export interface EndedRun {
  readonly id: string;
  readonly report: RunReport;
  readonly startMs: number;
  readonly record: RunRecord | undefined;
}

/**
 * The runs of a controller: a number of workers, and one run of an object at a time.
 *
 * Flow: {@link work} calls a step for each item → {@link run} → a verdict → {@link end}.
 * Guarantees: the queue gives an object to one worker until `done` is called in {@link end}, which waits for a function that was given up; each run is observed,
 * traced and recorded.
 */
export class Runs {
  readonly #options: RunsOptions;

  constructor(options: RunsOptions) {
    this.#options = options;
  }

  /** Resolves when every worker has found no more items. */
  async work(take: () => Promise<QueueItem | undefined>, step: (item: QueueItem) => Promise<void>): Promise<void> {
    const { breather, concurrency = 10 } = this.#options;
    const worker = async (): Promise<void> => {
      for (let item = await take(); item !== undefined; item = await take()) {
        await step(item);
        // Runs that find all as desired wait for nothing: of thousands of objects, after a restart, they would be one task of seconds.
        await breather.breathe();
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  }

  async run({ item, object }: ReadyRun, abort: AbortSignal): Promise<EndedRun> {
    const { aborts, clock, controller, observer, runner, tracing = NO_TRACING } = this.#options;
    const { key, trigger, attempt } = item;
    const id = idOf(key);
    observer?.started?.(controller.name);
    const startMs = clock.monotonicMs();
    const record = this.#record(item, object);
    const run = (signal: AbortSignal): Promise<RunReport> =>
      this.#within(record, () => runner.run({ object, trigger, attempt, signal, record }));
    const attributes = {
      'keelson.controller': controller.name,
      'k8s.object.name': key.name,
      'k8s.namespace.name': key.namespace ?? '',
    };
    const report = await tracing.inSpan(`reconcile ${controller.name}`, attributes, () => aborts.during(id, abort, run));
    return { id, report, startMs, record };
  }

  /** @param done called when the object may be run again: a function that was given up may still act outside, and two of them would act at once */
  end({ id, report, startMs, record }: EndedRun, { result, next }: RunVerdict, done: () => void): void {
    const { clock, controller, left, observer } = this.#options;
    const tookMs = clock.monotonicMs() - startMs;
    observer?.finished?.(controller.name, result, tookMs / 1000);
    record?.end({ result, tookMs, error: report.error, ...('afterMs' in next ? { nextInMs: next.afterMs } : {}) });
    if (report.left === undefined) done();
    else left.leave(id, report.left, done);
  }

  #record({ key, trigger, also = [], attempt, waitedMs = 0 }: QueueItem, { metadata }: StoredObject): RunRecord | undefined {
    const { journal, controller, clock } = this.#options;
    return journal?.begin({
      id: randomUUID(),
      controller: controller.name,
      kind: controller.for.kind,
      object: idOf(key),
      version: metadata.resourceVersion,
      startedAt: new Date(clock.wallMs()),
      triggers: [trigger, ...also],
      queuedMs: waitedMs,
      attempt,
    });
  }

  #within<T>(record: RunRecord | undefined, act: () => T): T {
    const { journal } = this.#options;
    return journal === undefined || record === undefined ? act() : journal.within(record, act);
  }
}
