import { randomUUID } from 'node:crypto';
import type { ControllerModel, Events, Logger, RetryLater, TerminalError, Trigger } from '../../definition/index.js';
import { deepFreeze, errorOf, messageOf, OperatorError } from '../../kubernetes/index.js';
import type { StoredObject } from '../cache/index.js';
import type { ChildrenWriter } from '../children/index.js';
import { type ApiClient, isConflict, isInvalid } from '../client/index.js';
import type { Clock } from '../clock/index.js';
import { withoutCredentials } from '../masking/index.js';
import { type FailureReason, nextStatus, type StatusForm, type StatusWriter, type Verdict } from '../status/index.js';
import { contextOf, finalizeFunction, reconcileFunction, withFields } from './context.js';
import { ObjectUnfitError } from './errors.js';
import type { Finalizer } from './finalizer.js';
import { type HandleScope, ownsHandle, readsHandle, watchesHandle } from './handles.js';
import { type FinalizeOutcome, finalizeOutcomeOf, outcomeOf } from './outcome.js';
import { limited } from './time-limit.js';
import type { Informers } from './triggers.js';
import { unfitFields } from './unfit.js';

export interface ObjectRunnerOptions {
  readonly controller: ControllerModel;
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly informers: Informers;
  readonly children: ChildrenWriter;
  readonly finalizer: Finalizer | undefined;
  readonly status: StatusWriter | undefined;
  readonly statusForm: StatusForm;
  readonly fieldManager: string;
  readonly timeLimitMs: number;
  readonly events: (object: StoredObject, log: Logger) => Events;
  /** What a reconciler is given must not be changed; tests make sure of it. */
  readonly freeze: boolean;
}

export interface RunRequest {
  readonly object: StoredObject;
  readonly trigger: Trigger;
  readonly attempt: number;
  readonly signal: AbortSignal;
}

export interface RunReport {
  /** Something was written. */
  readonly wrote: boolean;
  /** Children among it: their changes come back as the next run's trigger, which those of the status do not. */
  readonly wroteChildren?: boolean | undefined;
  readonly requeueAfterMs?: number | undefined;
  /** What the run failed with; its status has been told if that was possible. */
  readonly error?: unknown;
}

/** Two and a half seconds: as long as a watch takes that has broken and begins anew, and tells who was quicker. */
const QUIET_CONFLICTS = 7;

/** More than a condition shows, which is cut: that must show too. */
const LONGEST_MESSAGE = 8_192;

/** Lists are complete again within seconds, or the API server has other troubles. */
const PRUNE_AGAIN_MS = 5_000;

/**
 * One run for one object.
 *
 * Flow: deleted? finalize, tell of it, and let go · finalizer missing? add it · does it fit its definition? · reconcile · children · status.
 * Guarantees: children come before the status that tells of them; an error is told in the status where there is one; whatever is thrown is in the report.
 */
export class ObjectRunner {
  readonly #options: ObjectRunnerOptions;

  constructor(options: ObjectRunnerOptions) {
    this.#options = options;
  }

  async run(request: RunRequest): Promise<RunReport> {
    const { object } = request;
    const { finalizer } = this.#options;
    if (object.metadata.deletionTimestamp !== undefined) {
      return finalizer?.isOn(object) === true ? this.#finalize(request, finalizer) : { wrote: false };
    }
    return finalizer === undefined || finalizer.isOn(object) ? this.#reconcile(request, false) : this.#hold(request, finalizer);
  }

  async #hold(request: RunRequest, finalizer: Finalizer): Promise<RunReport> {
    try {
      const held = await finalizer.add(request.object, request.signal);
      if (held === undefined) return { wrote: false };
      this.#options.informers.primary.written(held);
      return await this.#reconcile({ ...request, object: held }, true);
    } catch (error) {
      return { wrote: false, error };
    }
  }

  async #reconcile(request: RunRequest, hasWritten: boolean): Promise<RunReport> {
    const { children, controller } = this.#options;
    const { object, signal } = request;
    let wrote = hasWritten;
    let wroteChildren = false;
    try {
      const unfit = unfitFields(controller, object);
      if (unfit.length > 0)
        throw new ObjectUnfitError(
          `the stored object does not fit its definition: ${unfit.join('; ')}; correct it, or install the CRD of this release`,
        );
      const outcome = outcomeOf(await this.#call(reconcileFunction(controller), request));
      let { requeueAfterMs } = outcome;
      if (outcome.owned !== undefined) {
        const { applied, deleted, pruneWaits } = await children.reconcile({
          owner: { kind: controller.for, object },
          desired: outcome.owned,
          signal,
        });
        wroteChildren = applied + deleted > 0;
        if (pruneWaits) requeueAfterMs = Math.min(requeueAfterMs ?? PRUNE_AGAIN_MS, PRUNE_AGAIN_MS);
        wrote ||= wroteChildren;
      }
      wrote = (await this.#tell(object, { type: 'reconciled' }, outcome, signal)) || wrote;
      return { wrote, wroteChildren, requeueAfterMs };
    } catch (thrown) {
      const error = errorOf(thrown);
      if (!signal.aborted && !isPassing(error, request)) wrote = (await this.#tellError(request, error, 'ReconcileFailed')) || wrote;
      return { wrote, error };
    }
  }

  async #finalize(request: RunRequest, finalizer: Finalizer): Promise<RunReport> {
    const finalize = finalizeFunction(this.#options.controller);
    let wrote = false;
    try {
      const told = finalizeOutcomeOf(finalize === undefined ? undefined : await this.#call(finalize, request));
      if (told.status !== undefined || told.conditions !== undefined)
        wrote = await this.#tell(request.object, { type: 'finalizing' }, told, request.signal);
      if (told.requeueAfterMs !== undefined) return { wrote, requeueAfterMs: told.requeueAfterMs };
      const left = await finalizer.remove(request.object, request.signal);
      // Others may still hold it; without any it is gone with this answer.
      if (left !== undefined && (left.metadata.finalizers ?? []).length > 0) this.#options.informers.primary.written(left);
      return { wrote: true };
    } catch (thrown) {
      const error = errorOf(thrown);
      if (!request.signal.aborted && !isPassing(error, request)) wrote = (await this.#tellError(request, error, 'FinalizeFailed')) || wrote;
      return { wrote, error };
    }
  }

  #call(call: (context: object) => unknown, request: RunRequest): Promise<unknown> {
    const { clock, timeLimitMs, freeze } = this.#options;
    return limited(
      (signal) => call(this.#contextOf({ ...request, signal, object: freeze ? deepFreeze(request.object) : request.object })),
      {
        clock,
        limitMs: timeLimitMs,
        signal: request.signal,
      },
    );
  }

  #contextOf({ object, trigger, signal }: RunRequest): object {
    const { controller, client, clock, events, fieldManager } = this.#options;
    const { namespace, name } = object.metadata;
    const log = withFields(this.#options.log, {
      object: namespace === undefined ? name : `${namespace}/${name}`,
      reconcileID: randomUUID(),
    });
    const scope: HandleScope = { client, object, fieldManager, signal };
    const handles = this.#handlesFor(controller, scope);
    return contextOf({ object, handles, log, signal, events: events(object, log), now: () => new Date(clock.wallMs()), trigger });
  }

  #handlesFor({ watches, reads }: ControllerModel, scope: HandleScope): Readonly<Record<string, object>> {
    const { informers } = this.#options;
    return Object.fromEntries([
      ...Object.entries(informers.owns).map(([name, informer]) => [name, ownsHandle(informer, scope)] as const),
      ...Object.entries(informers.watches).map(
        ([name, informer]) => [name, watchesHandle(informer, watches[name]?.verbs ?? [], scope)] as const,
      ),
      ...Object.entries(reads).map(([name, kind]) => [name, readsHandle(kind, scope)] as const),
    ]);
  }

  async #tell(object: StoredObject, verdict: Verdict, outcome: FinalizeOutcome, signal: AbortSignal): Promise<boolean> {
    const { status, statusForm, clock, informers } = this.#options;
    if (status === undefined) return false;
    // Whatever was written meanwhile, by this run too: the newest status is the one to compare with.
    const { name, namespace, uid } = object.metadata;
    const newest = informers.primary.get(namespace === undefined ? { name } : { name, namespace });
    const current = newest?.metadata.uid === uid ? newest : object;
    const desired = nextStatus({
      form: statusForm,
      previous: current['status'] as Readonly<Record<string, unknown>> | undefined,
      // What was looked at, not what has come since.
      generation: object.metadata.generation,
      now: new Date(clock.wallMs()),
      verdict,
      status: outcome.status,
      conditions: outcome.conditions,
    });
    return status.write(current, desired, signal, verdict.type === 'stalled' && verdict.reason === 'ObjectUnfit' ? 'merge' : 'apply');
  }

  /** What goes wrong here must not hide what went wrong before. */
  async #tellError({ object, signal, attempt }: RunRequest, error: unknown, reason: FailureReason): Promise<boolean> {
    if (!this.#options.statusForm.hasConditions) return false;
    // More people read a condition than a log, and it is cut there anyway.
    const message = withoutCredentials(messageOf(error).slice(0, LONGEST_MESSAGE));
    const verdict: Verdict = isTerminal(error)
      ? { type: 'stalled', reason: error.code === 'KEELSON_OBJECT_UNFIT' ? 'ObjectUnfit' : 'TerminalError', message }
      : { type: 'unfinished', reason: isRetryLater(error) ? 'Waiting' : reason, message };
    try {
      return await this.#tell(object, verdict, {}, signal);
    } catch (failure) {
      this.#notTold(object, failure, attempt);
      return false;
    }
  }

  /** A schema that refuses the status hides every failure of the object from who looks at it, and waits for the author; all else passes. */
  #notTold({ metadata: { namespace, name } }: StoredObject, failure: unknown, attempt: number): void {
    const { log } = this.#options;
    const fields = { object: namespace === undefined ? name : `${namespace}/${name}`, error: failure };
    if (isInvalid(failure) && attempt === 1)
      log.warn(
        'the schema refuses the status that tells of the failure: give defaults to required fields of the status, or make them optional',
        fields,
      );
    else log.debug('the status could not tell of an error', fields);
  }
}

/** Somebody else was quicker, which is no failure unless it goes on: the next try looks at what there is then. */
export function isPassing(error: unknown, { attempt }: { readonly attempt: number }): boolean {
  return isConflict(error) && attempt <= QUIET_CONFLICTS;
}

export function isRetryLater(error: unknown): error is RetryLater {
  return OperatorError.isOperatorError(error) && error.code === 'KEELSON_RETRY_LATER';
}

/** Pointless to try again before the object changes. */
export function isTerminal(error: unknown): error is TerminalError | ObjectUnfitError {
  return OperatorError.isOperatorError(error) && (error.code === 'KEELSON_TERMINAL' || error.code === 'KEELSON_OBJECT_UNFIT');
}
