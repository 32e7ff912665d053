import { randomUUID } from 'node:crypto';
import { deepFreeze, errorOf, messageOf, OperatorError } from '@keelson/kubernetes/apimachinery';
import type { ControllerModel, Events, Logger, RetryLater, TerminalError, Trigger } from 'keelson/internal/definition';
import { type Informer, type StoredObject, withPresence } from '../cache/index.js';
import type { ChildrenWriter } from '../children/index.js';
import { type ApiClient, isConflict, isInvalid } from '../client/index.js';
import type { Clock } from '../clock/index.js';
import { type RunRecord, recordedHandle } from '../journal/index.js';
import { withoutCredentials } from '../masking/index.js';
import type { Outside } from '../outside/index.js';
import {
  type FailureReason,
  isSaidPaused,
  nextStatus,
  PAUSED,
  type Share,
  type StatusFields,
  type StatusForm,
  type StatusWriter,
  statedBy,
  type Verdict,
  WOULD_CHANGE,
} from '../status/index.js';
import { keepsChildren, tokenOf, type Withheld } from '../steering/index.js';
import type { FormerManagers, ManagerNames } from '../takeover/index.js';
import { contextOf, finalizeFunction, reconcileFunction, withFields } from './context.js';
import { ObjectUnfitError, OutcomeError, RunAbortedError } from './errors.js';
import type { Finalizer } from './finalizer.js';
import { type HandleScope, ownsHandle, readsHandles, watchesHandle } from './handles.js';
import type { Informers } from './informers.js';
import { idOf, keyOf } from './object-id.js';
import { checkedStatus, type FinalizeOutcome, finalizeOutcomeOf, outcomeOf, ownedOf } from './outcome.js';
import { RunCalls, withItsCalls } from './run-calls.js';
import { schemaOf, statusMisfit } from './schema-fit.js';
import { StatusAmid } from './status-amid.js';
import { limited } from './time-limit.js';
import { unfitFields, unfitStatus } from './unfit.js';

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
  /** The part of the status that the controller writes. */
  readonly share: Share;
  readonly fieldManager: string;
  /** @defaultValue none */
  readonly formerManagers?: FormerManagers | undefined;
  /** Field managers of the operator's other controllers for the kind. */
  readonly rivals: ManagerNames;
  /** Namespaces that the operator serves. @defaultValue all */
  readonly served?: readonly string[] | undefined;
  readonly timeLimitMs: number;
  /** Failed runs in a row, after the first one, until an object is left alone. @defaultValue it is tried for ever */
  readonly retries?: number | undefined;
  readonly events: (object: StoredObject, log: Logger) => Events;
  readonly outside?: Pick<Outside, 'handles'> | undefined;
}

export interface RunRequest {
  readonly object: StoredObject;
  readonly trigger: Trigger;
  readonly attempt: number;
  readonly signal: AbortSignal;
  /** Keeps what the run reads. @defaultValue none */
  readonly record?: RunRecord | undefined;
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
  /** It has failed as often as it may: it is left alone until something changes. */
  readonly isExhausted?: boolean | undefined;
  /** The reconciler leaves the object to another controller. */
  readonly isIgnored?: boolean | undefined;
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

/** The fifth run begins 0.3 s after the first with the default backoff: conflicts and lost requests have passed by then. */
const FEW_ATTEMPTS = 5;

/** More than a condition shows, which is cut: that must show too. */
const LONGEST_MESSAGE = 8_192;

const NONE: ReadonlySet<string> = new Set();

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

  /** Says in the conditions that no run can begin, and why. Nothing of it is thrown. */
  async waits(object: StoredObject, message: string, signal: AbortSignal): Promise<void> {
    if (!this.#options.statusForm.hasConditions) return;
    try {
      await this.#tell(
        this.#newest(object),
        { type: 'unfinished', reason: 'Waiting', message: withoutCredentials(message), hasRun: false },
        {},
        signal,
      );
    } catch (error) {
      this.#notTold(object, error, 1);
    }
  }

  /** Whether the status says that the object is paused; `undefined` where it has no place for it, or where that is not this controller's. */
  saysPaused(object: StoredObject): boolean | undefined {
    return this.#hasPlaceFor(PAUSED) ? isSaidPaused(object['status'] as StatusFields | undefined) : undefined;
  }

  /** Says in the conditions that the object is paused. */
  async tellPaused(object: StoredObject, message: string, signal: AbortSignal): Promise<void> {
    await this.#tell(object, { type: 'paused', message }, {}, signal);
  }

  /** Says in the conditions what a run of the object would write, where they have a place for it. */
  async tellObserved(object: StoredObject, withheld: Withheld, signal: AbortSignal): Promise<void> {
    if (this.#hasPlaceFor(WOULD_CHANGE)) await this.#tell(object, { type: 'observed', ...withheld }, {}, signal);
  }

  /** Ends a run that could not begin. */
  async refuse(request: RunRequest, error: Error): Promise<RunReport> {
    const told = await this.#tellError(this.#begin(request), error, 'ReconcileFailed');
    return { wrote: told.wrote, error: told.error };
  }

  /** The object is gone. */
  forget(uid: string): void {
    this.#amidMs.delete(uid);
  }

  #hasPlaceFor(type: string): boolean {
    const { status, statusForm, share } = this.#options;
    return status !== undefined && statusForm.hasConditions && share.strayIn(undefined, [{ type }]) === undefined;
  }

  #begin(request: RunRequest): Run {
    const { clock } = this.#options;
    const { metadata } = request.object;
    const log = withFields(this.#options.log, {
      object: idOf(metadata),
      reconcileID: request.record?.start.id ?? randomUUID(),
    });
    const amid = new StatusAmid({
      clock,
      lastMs: this.#amidMs,
      uid: metadata.uid,
      write: (part) => this.#tellAmid(request, part),
      onError: (error) => log.warn('the status could not be written amid the run', { error }),
    });
    return { ...request, amid, log, calls: new RunCalls(log), leaves: {} };
  }

  #report(run: Run): Promise<RunReport> | RunReport {
    const { object } = run;
    const { controller, finalizer } = this.#options;
    const unfit = unfitStatus(controller, object);
    if (unfit !== undefined)
      run.log.warn('the stored status does not fit its definition: the reconciler sees none, and it is written anew', {
        problems: unfit.problems,
      });
    if (object.metadata.deletionTimestamp !== undefined) {
      return finalizer?.isOn(object) === true ? this.#finalize(run, finalizer) : { wrote: false };
    }
    return finalizer === undefined || finalizer.isSettled(object) ? this.#reconcile(run, false) : this.#hold(run, finalizer);
  }

  async #hold(request: Run, finalizer: Finalizer): Promise<RunReport> {
    try {
      const held = await finalizer.add(request.object, request.signal);
      if (held === undefined) return { wrote: false };
      this.#options.informers.primary.written(held);
      return await this.#reconcile({ ...request, object: deepFreeze(held) }, true);
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
      const outcome = this.#checked(outcomeOf(await this.#call(reconcileFunction(controller), request)));
      if (outcome.isIgnored === true) {
        // It was paused before it could be ignored.
        if (this.saysPaused(this.#newest(object)) === true) await this.#options.status?.write(this.#newest(object), {}, signal);
        this.#options.status?.letGo(object.metadata.uid);
        return { wrote, isIgnored: true };
      }
      let { requeueAfterMs } = outcome;
      let finished: Verdict = { type: 'reconciled' };
      if (outcome.owned !== undefined) {
        const { applied, deleted, pruneWaits, waitsFor } = await children.reconcile({
          owner: { kind: controller.for, object },
          desired: outcome.owned,
          signal,
        });
        wroteChildren = applied + deleted > 0;
        if (pruneWaits) requeueAfterMs = Math.min(requeueAfterMs ?? PRUNE_AGAIN_MS, PRUNE_AGAIN_MS);
        wrote ||= wroteChildren;
        if (waitsFor !== undefined) finished = waitingFor(waitsFor);
      }
      wrote = (await children.release(object, signal)) > 0 || wrote;
      const failure = failureOf(outcome.retry);
      const isExhausted = failure !== undefined && this.#isExhausted(failure, request);
      const verdict =
        failure === undefined
          ? finished
          : isExhausted
            ? exhausted(failure, request.attempt)
            : verdictOf(failure, 'ReconcileFailed', request.attempt);
      wrote = (await this.#tell(object, verdict, withPending(outcome, request.amid), signal)) || wrote;
      return { wrote, wroteChildren, requeueAfterMs, requeueAtMs: outcome.requeueAt?.getTime(), error: failure, isExhausted };
    } catch (thrown) {
      const told = await this.#tellError(request, errorOf(thrown), 'ReconcileFailed');
      return { wrote: told.wrote || wrote, error: told.error, isExhausted: this.#isExhausted(told.error, request) };
    }
  }

  /** Deletions are tried for ever. Conflicts with other writers, and waits, do not count. */
  #isExhausted(error: unknown, { attempt, object, signal }: RunRequest): boolean {
    const { retries = Number.POSITIVE_INFINITY } = this.#options;
    const isAlive = object.metadata.deletionTimestamp === undefined && !signal.aborted;
    return isAlive && attempt > retries && !isConflict(error) && !isRetryLater(error) && !(error instanceof RunAbortedError);
  }

  async #finalize(request: Run, finalizer: Finalizer): Promise<RunReport> {
    const finalize = finalizeFunction(this.#options.controller);
    let wrote = false;
    try {
      const keeps = keepsChildren(request.object, this.#options.controller.annotations);
      if (keeps) await this.#options.children.keep(request.object, request.signal);
      const returned = finalizeOutcomeOf(finalize === undefined || keeps ? undefined : await this.#call(finalize, request));
      const told = withPending(this.#checked(returned), request.amid);
      const failure = failureOf(told.retry);
      if (told.status !== undefined || told.conditions !== undefined || failure !== undefined) {
        const verdict = failure === undefined ? ({ type: 'finalizing' } as const) : verdictOf(failure, 'FinalizeFailed', request.attempt);
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
      const told = await this.#tellError(request, errorOf(thrown), 'FinalizeFailed');
      return { wrote: told.wrote || wrote, error: told.error };
    }
  }

  #checked<TOutcome extends FinalizeOutcome>(outcome: TOutcome): TOutcome {
    const { controller, share } = this.#options;
    return checkedStatus(outcome, share, schemaOf(controller));
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

  #contextOf({ object, trigger, attempt, signal, amid, calls, log, record }: Run, hasChildren: boolean): object {
    const { controller, client, clock, events, fieldManager, formerManagers, outside, rivals, served } = this.#options;
    const scope: HandleScope = { client, object, fieldManager, formerManagers, signal, calls, rivals, served };
    return contextOf({
      object: unfitStatus(controller, object) === undefined ? object : withoutStatus(object),
      handles: {
        ...this.#handlesFor(controller, scope, record),
        ...outside?.handles(object, signal, hasChildren ? 'reconcile' : 'finalize'),
      },
      log,
      signal,
      events: events(object, log),
      now: () => new Date(clock.wallMs()),
      trigger,
      attempt,
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
    const stray = this.#options.share.strayIn(part as StatusFields, []);
    const misfit = stray ?? statusMisfit(schemaOf(this.#options.controller), part);
    if (misfit !== undefined) throw new OutcomeError(`status.write(...): ${misfit}`);
    await amid.write(part as StatusFields);
  }

  async #applyAmid(object: StoredObject, children: unknown, signal: AbortSignal): Promise<void> {
    const { children: writer, controller } = this.#options;
    const desired = ownedOf(children, 'owned.apply(...)');
    await writer.reconcile({ owner: { kind: controller.for, object }, desired, signal, prunes: false });
  }

  #handlesFor(
    { for: kind, owns, watches, reads }: ControllerModel,
    scope: HandleScope,
    record: RunRecord | undefined,
  ): Readonly<Record<string, object>> {
    const { informers } = this.#options;
    const { optional = {} } = informers;
    const owner = { kind, object: scope.object };
    const kept = (name: string, informer: Informer, handle: object): object =>
      withPresence(record === undefined ? handle : recordedHandle(handle, { name, kind: informer.kind.kind, record }), optional[name]);
    return Object.fromEntries([
      ...Object.entries(informers.owns).flatMap(([name, informer]) => {
        const policy = owns[name]?.policy;
        const own = { ...scope, presence: optional[name] };
        return policy === undefined ? [] : [[name, kept(name, informer, ownsHandle(name, { informer, policy }, owner, own))] as const];
      }),
      ...Object.entries(informers.watches).map(([name, informer]) => {
        const { verbs = [], select } = watches[name] ?? {};
        const selected = { namespaces: select?.namespaces, onlyName: select?.fields?.['metadata.name'], presence: optional[name] };
        return [name, kept(name, informer, watchesHandle(name, informer, verbs, { ...scope, ...selected }))] as const;
      }),
      ...Object.entries(readsHandles(reads, optional, scope)),
    ]);
  }

  async #tellAmid({ object, signal }: RunRequest, part: StatusFields): Promise<void> {
    const { status, share } = this.#options;
    if (this.#isReplaced(object)) return;
    const current = this.#newest(object);
    const unfit = this.#unfitIn(current);
    const stated = { fields: new Set(Object.keys(part)), conditions: NONE };
    await status?.write(current, merged(share.of(fittingStatus(current, unfit)), part), signal, { unfit, stated });
  }

  /** The fields of the status that have wrong types; `undefined` if the status fits. */
  #unfitIn(object: StoredObject): readonly string[] | undefined {
    return unfitStatus(this.#options.controller, object)?.fields;
  }

  /** The newest status is the one to compare with: this run too may have written it meanwhile. */
  #newest(object: StoredObject): StoredObject {
    const held = this.#held(object);
    return held?.metadata.uid === object.metadata.uid ? held : object;
  }

  /**
   * Another object has come under this name while the run went on: the status is not its (H46). Until the cache knows the successor, the version that the
   * status writer names keeps the status from it; this saves the requests.
   */
  #isReplaced(object: StoredObject): boolean {
    const held = this.#held(object);
    return held !== undefined && held.metadata.uid !== object.metadata.uid;
  }

  #held(object: StoredObject): StoredObject | undefined {
    return this.#options.informers.primary.get(keyOf(object));
  }

  async #tell(object: StoredObject, verdict: Verdict, outcome: FinalizeOutcome, signal: AbortSignal): Promise<boolean> {
    const { status, statusForm, share, clock, controller } = this.#options;
    if (status === undefined || this.#isReplaced(object)) return false;
    const current = this.#newest(object);
    const unfit = this.#unfitIn(current);
    const whole = fittingStatus(current, unfit);
    const previous = share.of(whole);
    const desired = nextStatus({
      form: statusForm,
      previous,
      beside: share.conditionsBeside(whole),
      // The state that was looked at, not what has come since.
      generation: object.metadata.generation,
      now: new Date(clock.wallMs()),
      token: tokenOf(object, controller.annotations),
      verdict,
      status: outcome.isPart === true ? merged(previous, outcome.status ?? {}) : outcome.status,
      conditions: outcome.conditions,
    });
    const isUnfit = verdict.type === 'stalled' && verdict.reason === 'ObjectUnfit';
    const stated = statedBy({ form: statusForm, verdict, ...outcome });
    return status.write(current, desired, signal, { unfit: unfit ?? (isUnfit ? [] : undefined), stated });
  }

  /**
   * Says an error in the status. An error of the write must not hide the error before it, but for the conflict that keeps a terminal error out of the status: no
   * other run would say it.
   */
  async #tellError(run: Run, error: Error, reason: FailureReason): Promise<Pick<RunReport, 'wrote' | 'error'>> {
    const { object, signal, attempt, amid } = run;
    const said = withPending({}, amid);
    const isMute = !this.#options.statusForm.hasConditions && said.status === undefined;
    if (signal.aborted || isMute || isPassing(error, run)) return { wrote: false, error };
    try {
      const verdict = this.#isExhausted(error, run) && !isTerminal(error) ? exhausted(error, attempt) : verdictOf(error, reason, attempt);
      return { wrote: await this.#tell(object, verdict, said, signal), error };
    } catch (failure) {
      this.#notTold(object, failure, attempt);
      return { wrote: false, error: isTerminal(error) && isConflict(failure) ? failure : error };
    }
  }

  /** A schema that refuses the status hides every failure of the object from its readers, and stays until the author mends it; all else passes. */
  #notTold({ metadata }: StoredObject, failure: unknown, attempt: number): void {
    const { log } = this.#options;
    const fields = { object: idOf(metadata), error: failure };
    if (isInvalid(failure) && attempt === 1)
      log.warn(
        'the schema refuses the status that reports the failure: give defaults to required fields of the status, or make them optional',
        fields,
      );
    else log.debug('the status could not report an error', fields);
  }
}

function verdictOf(error: unknown, reason: FailureReason, attempt: number): Verdict {
  // More people read a condition than a log, and it is cut there anyway.
  const message = withoutCredentials(messageOf(error).slice(0, LONGEST_MESSAGE));
  if (isTerminal(error))
    return { type: 'stalled', reason: error.code === 'KEELSON_OBJECT_UNFIT' ? 'ObjectUnfit' : 'TerminalError', message };
  if (isRetryLater(error)) return { type: 'unfinished', reason: 'Waiting', message };
  return { type: 'unfinished', reason, message, isLasting: attempt >= FEW_ATTEMPTS };
}

function exhausted(error: unknown, attempt: number): Verdict {
  const message = withoutCredentials(messageOf(error).slice(0, LONGEST_MESSAGE));
  return {
    type: 'stalled',
    reason: 'RetriesExhausted',
    message: `${message}; given up after ${attempt} runs, until the object or what it depends on changes`,
  };
}

/** Nothing has gone wrong, and yet not all that is desired is there. */
const waitingFor = (child: string): Verdict => ({
  type: 'unfinished',
  reason: 'Waiting',
  message: `${child} is being deleted, and is made anew when it is gone`,
});

function failureOf(retry: unknown): Error | undefined {
  return retry === undefined ? undefined : errorOf(retry);
}

/** A status amid the run that is not written yet belongs to its end, unless that states the whole status. */
function withPending(outcome: FinalizeOutcome, { pending }: StatusAmid): FinalizeOutcome {
  if (Object.keys(pending).length === 0 || (outcome.status !== undefined && outcome.isPart !== true)) return outcome;
  return { ...outcome, status: { ...pending, ...outcome.status }, isPart: true };
}

/** The stored status without the fields of wrong types. */
function fittingStatus({ status }: StoredObject, unfit: readonly string[] = []): StatusFields | undefined {
  if (typeof status !== 'object' || status === null || Array.isArray(status)) return undefined;
  return Object.fromEntries(Object.entries(status).filter(([field]) => !unfit.includes(field)));
}

function withoutStatus({ status: _, ...object }: StoredObject): StoredObject {
  return Object.freeze(object) as StoredObject;
}

/** A field that is `undefined` is removed. */
function merged(status: StatusFields | undefined, part: StatusFields): StatusFields {
  return Object.fromEntries(Object.entries({ ...status, ...part }).filter(([, value]) => value !== undefined));
}

/** Another client was quicker, which is not a failure unless it goes on: the next try looks at what there is then. */
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
