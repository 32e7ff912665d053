import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { errorOf } from '@keelson/kubernetes/apimachinery';
import type { ControllerModel, Logger } from 'keelson/internal/definition';
import { RunRecord } from '../../journal/index.js';
import { isObserved, withheldBy } from '../../steering/index.js';
import { idOf } from '../object-id.js';
import type { ObjectRunner, RunReport, RunRequest } from '../object-runner.js';

/** The records of observed runs, each for the code of its run. */
export class Observations {
  readonly #current = new AsyncLocalStorage<RunRecord>();

  get current(): RunRecord | undefined {
    return this.#current.getStore();
  }

  within<T>(record: RunRecord, act: () => T): T {
    return this.#current.run(record, act);
  }
}

export interface ObservingOptions {
  readonly controller: Pick<ControllerModel, 'name' | 'for' | 'annotations'>;
  readonly runner: Pick<ObjectRunner, 'run' | 'refuse' | 'tellObserved'>;
  /** The same run, with a client whose writes are dry runs that go to the observations. */
  readonly dry: Pick<ObjectRunner, 'run'>;
  readonly observations: Observations;
  readonly log: Logger;
}

/**
 * Runs an object, or finds out what a run would write.
 *
 * An observed run is the run itself, against a client whose writes the API server does not store, and against caches that take no answers of it. It shows
 * what the API server would have stored, after defaulting, webhooks and rights.
 */
export class ObservingRunner implements Pick<ObjectRunner, 'run'> {
  readonly #options: ObservingOptions;
  /** The last message of each object in the log, by uid. */
  readonly #said = new Map<string, string>();

  constructor(options: ObservingOptions) {
    this.#options = options;
  }

  async run(request: RunRequest): Promise<RunReport> {
    const { controller, runner } = this.#options;
    try {
      if (!isObserved(request.object, controller.annotations)) return await runner.run(request);
    } catch (error) {
      return runner.refuse(request, errorOf(error));
    }
    return this.#observe(request);
  }

  /** The object is gone. */
  forget(uid: string): void {
    this.#said.delete(uid);
  }

  async #observe(request: RunRequest): Promise<RunReport> {
    const { controller, dry, observations, runner, log } = this.#options;
    const { object, signal } = request;
    const record = new RunRecord({
      id: request.record?.start.id ?? randomUUID(),
      controller: controller.name,
      kind: controller.for.kind,
      object: idOf(object.metadata),
      startedAt: new Date(0),
      triggers: [request.trigger],
      queuedMs: 0,
      attempt: request.attempt,
    });
    const report = await observations.within(record, () => dry.run(request));
    // Nothing was stored: neither is the object written too often, nor does a change of its own follow.
    const { wrote: _, wroteChildren: __, ...rest } = report;
    if (report.isIgnored === true || signal.aborted) return { ...rest, wrote: false };
    const withheld = withheldBy(record.run, report.error === undefined ? undefined : errorOf(report.error));
    if (this.#said.get(object.metadata.uid) !== withheld.message)
      log.info(`observed: ${withheld.message}`, { object: idOf(object.metadata) });
    this.#said.set(object.metadata.uid, withheld.message);
    try {
      await runner.tellObserved(object, withheld, signal);
    } catch (error) {
      return { ...rest, wrote: false, error: report.error ?? error };
    }
    return { ...rest, wrote: false };
  }
}
