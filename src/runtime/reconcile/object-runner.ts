import { randomUUID } from 'node:crypto';
import type { ControllerModel, Events, Logger, RetryLater, TerminalError, Trigger } from '../../definition/index.js';
import { errorOf, messageOf, OperatorError } from '../../kubernetes/index.js';
import type { StoredObject } from '../cache/index.js';
import type { ChildrenWriter } from '../children/index.js';
import { type ApiClient, isConflict, isInvalid } from '../client/index.js';
import type { Clock } from '../clock/index.js';
import { withoutCredentials } from '../masking/index.js';
import type { Outside } from '../outside/index.js';
import { type FailureReason, nextStatus, type StatusFields, type StatusForm, type StatusWriter, type Verdict } from '../status/index.js';
import { contextOf, finalizeFunction, reconcileFunction, withFields } from './context.js';
import { ObjectUnfitError, OutcomeError } from './errors.js';
import type { Finalizer } from './finalizer.js';
import { type HandleScope, ownsHandle, readsHandle, watchesHandle } from './handles.js';
import { type FinalizeOutcome, finalizeOutcomeOf, outcomeOf, ownedOf } from './outcome.js';
import { RunCalls } from './run-calls.js';
import { StatusAmid } from './status-amid.js';
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
  readonly outside?: Pick<Outside, 'handles'> | undefined;
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
  /** Milliseconds since 1970, without a share on top. */
  readonly requeueAtMs?: number | undefined;
  /** The run's error; its status has been written if that was possible. */
  readonly error?: unknown;
  /** Resolves when the function of a run that was given up has returned: until then it may act outside, so nothing else may be run for the object. */
  readonly left?: Promise<unknown> | undefined;
}

/** One call of a user's function. */
interface Run extends RunRequest {
  readonly amid: StatusAmid;
  readonly calls: RunCalls;
  readonly log: Logger;
  readonly leaves: { left?: Promise<unknown> };
}

/** Two and a half seconds: as long as a broken watch takes to begin anew and to report who was quicker. */
const QUIET_CONFLICTS = 7;

/** More than a condition shows, which is cut: that must show too. */
const LONGEST_MESSAGE = 8_192;

/** Lists are complete again within seconds, or the API server has other troubles. */
const PRUNE_AGAIN_MS = 5_000;

/**
 * One run for one object.
 *
 * Flow: deleted? finalize, write its status, and let go · finalizer missing? add it · does it fit its definition? · reconcile · children · status.
 * Guarantees: children come before the status that describes them; an error is recorded in the status if the kind has one; every thrown value is in the report.
 */
export class ObjectRunner {
  readonly #options: ObjectRunnerOptions;
  /** When the status was last written amid a run, by uid. */
  readonly #amidMs = new Map<string, number>();

  constructor(options: ObjectRunnerOptions) {
    this.#options = options;
  }

  async run(request: RunRequest): Promise<RunReport> {
    const run = this.#begin(request);
    const report = await this.#report(run);
    const { left } = run.leaves;
    return left === undefined ? report : { ...report, left };
  }

  /** The object is gone. */
  forget(uid: string): void {
    this.#amidMs.delete(uid);
  }

  #begin(request: RunRequest): Run {
    const { clock } = this.#options;
    const { namespace, name, uid } = request.object.metadata;
    const log = withFields(this.#options.log, {
      object: namespace === undefined ? name : `${namespace}/${name}`,
      reconcileID: randomUUID(),
    });
    const amid = new StatusAmid({
      clock,
      lastMs: this.#amidMs,
      uid,
      write: (part) => this.#tellAmid(request, part),
      onError: (error) => log.warn('the status could not be written amid the run', { error }),
    });
    return { ...request, amid, log, calls: new RunCalls(log), leaves: {} };
  }

  #report(run: Run): Promise<RunReport> | RunReport {
    const { object } = run;
    const { finalizer } = this.#options;
    if (object.metadata.deletionTimestamp !== undefined) {
      return finalizer?.isOn(object) === true ? this.#finalize(run, finalizer) : { wrote: false };
    }
    return finalizer === undefined || finalizer.isOn(object) ? this.#reconcile(run, false) : this.#hold(run, finalizer);
  }

  async #hold(request: Run, finalizer: Finalizer): Promise<RunReport> {
    try {
      const held = await finalizer.add(request.object, request.signal);
      if (held === undefined) return { wrote: false };
      this.#options.informers.primary.written(held);
      return await this.#reconcile({ ...request, object: held }, true);
    } catch (error) {
      return { wrote: false, error };
    }
  }

  async #reconcile(request: Run, hasWritten: boolean): Promise<RunReport> {
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
      const failure = failureOf(outcome.retry);
      const verdict = failure === undefined ? ({ type: 'reconciled' } as const) : verdictOf(failure, 'ReconcileFailed');
      wrote = (await this.#tell(object, verdict, withPending(outcome, request.amid), signal)) || wrote;
      return { wrote, wroteChildren, requeueAfterMs, requeueAtMs: outcome.requeueAt?.getTime(), error: failure };
    } catch (thrown) {
      const error = errorOf(thrown);
      if (!signal.aborted && !isPassing(error, request)) wrote = (await this.#tellError(request, error, 'ReconcileFailed')) || wrote;
      return { wrote, error };
    }
  }

  async #finalize(request: Run, finalizer: Finalizer): Promise<RunReport> {
    const finalize = finalizeFunction(this.#options.controller);
    let wrote = false;
    try {
      const told = withPending(finalizeOutcomeOf(finalize === undefined ? undefined : await this.#call(finalize, request)), request.amid);
      const failure = failureOf(told.retry);
      if (told.status !== undefined || told.conditions !== undefined || failure !== undefined) {
        const verdict = failure === undefined ? ({ type: 'finalizing' } as const) : verdictOf(failure, 'FinalizeFailed');
        wrote = await this.#tell(request.object, verdict, told, request.signal);
      }
      if (failure !== undefined) return { wrote, error: failure };
      const { requeueAfterMs, requeueAt } = told;
      if (requeueAfterMs !== undefined || requeueAt !== undefined) return { wrote, requeueAfterMs, requeueAtMs: requeueAt?.getTime() };
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

  async #call(call: (context: object) => unknown, run: Run): Promise<unknown> {
    const { clock, timeLimitMs } = this.#options;
    try {
      return await limited(
        (signal) =>
          withItsCalls(run.calls, () => call(this.#contextOf({ ...run, signal }, call === reconcileFunction(this.#options.controller)))),
        {
          clock,
          limitMs: timeLimitMs,
          signal: run.signal,
          onLeft: (returned) => {
            run.leaves.left = returned.then(
              () => undefined,
              () => undefined,
            );
          },
        },
      );
    } finally {
      await run.amid.end();
    }
  }

  #contextOf({ object, trigger, signal, amid, calls, log }: Run, hasChildren: boolean): object {
    const { controller, client, clock, events, fieldManager, outside } = this.#options;
    const scope: HandleScope = { client, object, fieldManager, signal, calls };
    return contextOf({
      object,
      handles: { ...this.#handlesFor(controller, scope), ...outside?.handles(object, signal, hasChildren ? 'reconcile' : 'finalize') },
      log,
      signal,
      events: events(object, log),
      now: () => new Date(clock.wallMs()),
      trigger,
      status: { write: (part) => calls.track('status.write(...)', () => this.#writeAmid(amid, part, signal)) },
      ...(hasChildren
        ? { owned: { apply: (children) => calls.track('owned.apply(...)', () => this.#applyAmid(object, children, signal)) } }
        : {}),
    });
  }

  async #writeAmid(amid: StatusAmid, part: unknown, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#options.status === undefined)
      throw new OutcomeError('status.write(...): the controller writes no status; declare a status schema, or writesStatus: true');
    if (typeof part !== 'object' || part === null || Array.isArray(part))
      throw new OutcomeError('status.write(...): give the fields that differ: status.write({ phase })');
    await amid.write(part as StatusFields);
  }

  async #applyAmid(object: StoredObject, children: unknown, signal: AbortSignal): Promise<void> {
    const { children: writer, controller } = this.#options;
    const desired = ownedOf(children, 'owned.apply(...)');
    await writer.reconcile({ owner: { kind: controller.for, object }, desired, signal, prunes: false });
  }

  #handlesFor({ for: kind, owns, watches, reads }: ControllerModel, scope: HandleScope): Readonly<Record<string, object>> {
    const { informers } = this.#options;
    const owner = { kind, object: scope.object };
    return Object.fromEntries([
      ...Object.entries(informers.owns).flatMap(([name, informer]) => {
        const policy = owns[name]?.policy;
        return policy === undefined ? [] : [[name, ownsHandle(name, { informer, policy }, owner, scope)] as const];
      }),
      ...Object.entries(informers.watches).map(
        ([name, informer]) => [name, watchesHandle(name, informer, watches[name]?.verbs ?? [], scope)] as const,
      ),
      ...Object.entries(reads).map(([name, read]) => [name, readsHandle(name, read, scope)] as const),
    ]);
  }

  async #tellAmid({ object, signal }: RunRequest, part: StatusFields): Promise<void> {
    const { status } = this.#options;
    const current = this.#newest(object);
    await status?.write(current, merged(current['status'] as StatusFields | undefined, part), signal);
  }

  /** Whatever was written meanwhile, by this run too: the newest status is the one to compare with. */
  #newest(object: StoredObject): StoredObject {
    const { name, namespace, uid } = object.metadata;
    const newest = this.#options.informers.primary.get(namespace === undefined ? { name } : { name, namespace });
    return newest?.metadata.uid === uid ? newest : object;
  }

  async #tell(object: StoredObject, verdict: Verdict, outcome: FinalizeOutcome, signal: AbortSignal): Promise<boolean> {
    const { status, statusForm, clock } = this.#options;
    if (status === undefined) return false;
    const current = this.#newest(object);
    const previous = current['status'] as StatusFields | undefined;
    const desired = nextStatus({
      form: statusForm,
      previous,
      // The state that was looked at, not what has come since.
      generation: object.metadata.generation,
      now: new Date(clock.wallMs()),
      verdict,
      status: outcome.isPart === true ? merged(previous, outcome.status ?? {}) : outcome.status,
      conditions: outcome.conditions,
    });
    return status.write(current, desired, signal, verdict.type === 'stalled' && verdict.reason === 'ObjectUnfit' ? 'merge' : 'apply');
  }

  /** An error here must not hide the error before it. */
  async #tellError({ object, signal, attempt, amid }: Run, error: unknown, reason: FailureReason): Promise<boolean> {
    const said = withPending({}, amid);
    if (!this.#options.statusForm.hasConditions && said.status === undefined) return false;
    try {
      return await this.#tell(object, verdictOf(error, reason), said, signal);
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
        'the schema refuses the status that reports the failure: give defaults to required fields of the status, or make them optional',
        fields,
      );
    else log.debug('the status could not report an error', fields);
  }
}

function verdictOf(error: unknown, reason: FailureReason): Verdict {
  // More people read a condition than a log, and it is cut there anyway.
  const message = withoutCredentials(messageOf(error).slice(0, LONGEST_MESSAGE));
  if (isTerminal(error))
    return { type: 'stalled', reason: error.code === 'KEELSON_OBJECT_UNFIT' ? 'ObjectUnfit' : 'TerminalError', message };
  return { type: 'unfinished', reason: isRetryLater(error) ? 'Waiting' : reason, message };
}

/** A call that a function has not awaited is its own all the same; the function's error says more than that of a call that it forgot. */
async function withItsCalls(calls: RunCalls, call: () => unknown): Promise<unknown> {
  let returned: unknown;
  try {
    returned = await call();
  } catch (error) {
    await calls.settle().catch(() => undefined);
    throw error;
  }
  await calls.settle();
  return returned;
}

function failureOf(retry: unknown): Error | undefined {
  return retry === undefined ? undefined : errorOf(retry);
}

/** A status amid the run that is not written yet belongs to its end, unless that states the whole status. */
function withPending(outcome: FinalizeOutcome, { pending }: StatusAmid): FinalizeOutcome {
  if (Object.keys(pending).length === 0 || (outcome.status !== undefined && outcome.isPart !== true)) return outcome;
  return { ...outcome, status: { ...pending, ...outcome.status }, isPart: true };
}

/** A field that is `undefined` is removed. */
function merged(status: StatusFields | undefined, part: StatusFields): StatusFields {
  return Object.fromEntries(Object.entries({ ...status, ...part }).filter(([, value]) => value !== undefined));
}

/** Somebody else was quicker, which is not a failure unless it goes on: the next try looks at what there is then. */
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
