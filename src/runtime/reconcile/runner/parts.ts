import { type ControllerModel, isNarrowed, type Logger } from 'keelson/internal/definition';
import type { StoredObject } from '../../cache/index.js';
import type { ApiClient } from '../../client/index.js';
import { Breather } from '../../clock/index.js';
import { recordingClient } from '../../journal/index.js';
import type { Outside } from '../../outside/index.js';
import { type QueueBackoff, WorkQueue } from '../../queue/index.js';
import { Share, statusFormOf } from '../../status/index.js';
import { type ManagerNames, TakeoverPass, type TakeoverPassOptions } from '../../takeover/index.js';
import { withFields } from '../context.js';
import { cachedObject, type Informers, informersOf } from '../informers.js';
import { mineOf } from '../mine.js';
import { idOf, keyOf } from '../object-id.js';
import { ObjectRunner, type ObjectRunnerOptions } from '../object-runner.js';
import { Departures } from './departures.js';
import { inactive, NO_EVENTS, OBSERVER, unwritten } from './dry-parts.js';
import { HotRests } from './hot-rests.js';
import { LeftRuns } from './left-runs.js';
import { Observations, ObservingRunner } from './observing.js';
import type { ControllerRunnerOptions } from './options.js';
import { outsideOf } from './outside-of.js';
import { Pauses } from './pauses.js';
import { ReadyTimes } from './ready-times.js';
import { RunAborts } from './run-aborts.js';
import { RunRate } from './run-rate.js';
import { Runs } from './runs.js';
import { Scheduler } from './scheduler.js';
import { Verdicts } from './verdicts.js';
import { Waits } from './waits.js';
import { type Writers, writersOf } from './writers.js';

/** The parts of one controller. */
export interface ControllerParts {
  readonly log: Logger;
  readonly queue: WorkQueue;
  readonly rests: HotRests;
  readonly informers: Informers;
  /** Absent where the controller declares nothing of the world outside. */
  readonly outside: Outside | undefined;
  /** The part of the status that the controller writes. */
  readonly share: Share;
  readonly writers: Writers;
  readonly runner: ObjectRunner;
  /** Runs objects, or shows what their runs would write. */
  readonly observing: ObservingRunner;
  readonly aborts: RunAborts;
  readonly left: LeftRuns;
  readonly pauses: Pauses;
  /** Absent for a controller that no object can leave for another instance, or that holds none. */
  readonly departures: Departures | undefined;
  /** Absent where as many runs may begin as come. */
  readonly rate: RunRate | undefined;
  /** Absent where no other name than the present one can stand on a status. */
  readonly takeover: TakeoverPass | undefined;
  readonly scheduler: Scheduler;
  readonly runs: Runs;
  readonly verdicts: Verdicts;
  readonly readyTimes: ReadyTimes;
}

/** The parts that all others stand on. */
type Ground = Pick<ControllerParts, 'log' | 'queue' | 'rests' | 'informers' | 'outside' | 'share'>;

/** Puts a controller together, each part from those before it. @throws TypeError where externals are missing */
export function partsOf(options: ControllerRunnerOptions): ControllerParts {
  const ground = groundOf(options);
  const { writers, runner } = writingOf(options, ground);
  const observing = observingOf(options, ground, runner);
  const { clock, controller, observer, perMinute = controller.rate?.perMinute } = options;
  const { log, queue, rests, informers, outside, share } = ground;
  const aborts = new RunAborts(controller.abortOn, isNarrowed(controller, options.instance));
  const left = new LeftRuns({ controller: controller.name, clock, log, observer });
  const tell = (object: StoredObject, problem: string, signal: AbortSignal): Promise<void> => {
    options.events(object, log).warning('Waiting', problem);
    return runner.waits(object, problem, signal);
  };
  const waits = new Waits({ clock, log, tell });
  const breather = options.breather ?? new Breather(clock);
  const pauses = new Pauses({ ...options, log, queue, runner, managers: managersOf(options, writers) });
  return {
    ...ground,
    writers,
    runner,
    observing,
    aborts,
    left,
    pauses,
    readyTimes: readyTimesOf(options, share, pauses),
    departures: departuresOf(options, ground, writers),
    rate: perMinute === undefined ? undefined : new RunRate(clock, perMinute),
    takeover: takeoverOf(options, writers, { log, holds: (object) => pauses.holds(object) }),
    scheduler: new Scheduler({ queue, rests, waits, primary: informers.primary, referenced: informers.referenced, outside }),
    runs: new Runs({ ...options, runner: observing, aborts, left, breather }),
    verdicts: new Verdicts({ ...options, controller: controller.name, log }),
  };
}

function readyTimesOf({ clock, controller, observer }: ControllerRunnerOptions, share: Share, pauses: Pauses): ReadyTimes {
  const { hasConditions, summary } = statusFormOf(controller, share);
  const isWritten = controller.writesStatus && hasConditions;
  const isPaused = (object: StoredObject): boolean => pauses.holds(object);
  return new ReadyTimes({ controller: controller.name, summary: isWritten ? summary : undefined, isPaused, clock, observer });
}

function takeoverOf(
  { controller, client, clock, cache, instance, random }: ControllerRunnerOptions,
  { formerManagers, isRenamed, status }: Writers,
  { log, holds }: Pick<TakeoverPassOptions, 'log' | 'holds'>,
): TakeoverPass | undefined {
  // Fields of another instance are taken over by the run of an object that changes hands.
  if (!isRenamed || formerManagers === undefined || status === undefined) return undefined;
  const isMine = mineOf(controller, instance, () => cache.namespaces);
  const shared = { client, clock, log, random, holds, isMine, kind: controller.for, formers: formerManagers };
  return new TakeoverPass({ ...shared, namespaces: controller.for.scope === 'Cluster' ? undefined : cache.namespaces });
}

function managersOf(
  { controller: { formerFieldManagers = [] } }: ControllerRunnerOptions,
  { fieldManager, formerManagers, rivals }: Writers,
): ManagerNames {
  const own = new Set([fieldManager, ...formerFieldManagers]);
  return { has: (manager) => own.has(manager) || rivals.has(manager) || formerManagers?.has(manager) === true };
}

function departuresOf(options: ControllerRunnerOptions, { log, queue, informers }: Ground, { finalizer }: Writers): Departures | undefined {
  const { controller, cache, client, clock, instance } = options;
  if (finalizer === undefined || !isNarrowed(controller, instance)) return undefined;
  const { primary } = informers;
  return new Departures({ kind: controller.for, client, clock, log, finalizer, primary, queue, served: cache.namespaces });
}

function backoffOf({ backoff = {} }: ControllerModel): QueueBackoff {
  return { baseMs: backoff.firstMs, maxMs: backoff.mostMs };
}

function groundOf(options: ControllerRunnerOptions): Ground {
  const { controller, cache, clock, journal, backoff = backoffOf(controller) } = options;
  const log = withFields(options.log, { controller: controller.name });
  const queue = new WorkQueue({ clock, observer: options.queueObserver, backoff, keepsCauses: journal !== undefined });
  const informers = informersOf({ controller, cache, log, instance: options.instance });
  return {
    log,
    queue,
    rests: new HotRests(clock, log),
    informers,
    outside: outsideOf(options, { informer: informers.primary, optional: informers.optional, queue, log }),
    share: new Share(controller, options.rivals?.controllers ?? []),
  };
}

function writingOf(options: ControllerRunnerOptions, ground: Ground): Pick<ControllerParts, 'writers' | 'runner'> {
  const { queue, rests } = ground;
  const onOthers = (object: StoredObject): void => {
    rests.statusChanged(idOf(object.metadata));
    queue.add(keyOf(object), { trigger: { cause: 'object' } });
  };
  const client = journaled(options.client, options, ground);
  const writers = writersOf({ ...ground, options, client, onOthers });
  return { writers, runner: new ObjectRunner(runnerOptions(options, { ...ground, ...writers, client })) };
}

/** The run of an object with and without writes: the parts of the second keep no answer, and share nothing with those of the first. */
function observingOf(options: ControllerRunnerOptions, ground: Ground, runner: ObjectRunner): ObservingRunner {
  const { controller, rivals } = options;
  const observations = new Observations();
  const dryRuns = options.client.with({ dryRun: true });
  const observed = recordingClient(dryRuns, observations, (kind, key) => cachedObject(ground.informers, kind, key), true);
  const client = journaled(observed, options, ground, true);
  const dry = {
    ...ground,
    informers: unwritten(ground.informers),
    share: new Share(controller, [...(rivals?.controllers ?? []), OBSERVER]),
  };
  const silent = { ...options, events: () => NO_EVENTS };
  const writers = writersOf({ ...dry, options: silent, client, onOthers: () => undefined });
  const outside = ground.outside === undefined ? undefined : inactive(ground.outside, Object.keys(controller.background));
  const dryRunner = new ObjectRunner(runnerOptions(silent, { ...dry, ...writers, finalizer: undefined, outside, client }));
  return new ObservingRunner({ controller, runner, dry: dryRunner, observations, log: ground.log });
}

type Writing = Pick<Ground, 'log' | 'informers' | 'share'> &
  Writers & { readonly client: ApiClient; readonly outside: Pick<Outside, 'handles'> | undefined };

function runnerOptions(options: ControllerRunnerOptions, writing: Writing): ObjectRunnerOptions {
  const { controller, cache, clock, events, timeLimitMs = 300_000, retries = controller.retries } = options;
  const statusForm = statusFormOf(controller, writing.share);
  return { ...writing, controller, clock, events, timeLimitMs, retries, statusForm, served: cache.namespaces };
}

/** The client whose calls are in the journal, if one is kept. */
function journaled(client: ApiClient, { journal }: ControllerRunnerOptions, { informers }: Ground, isDry = false): ApiClient {
  return journal === undefined ? client : recordingClient(client, journal, (kind, key) => cachedObject(informers, kind, key), isDry);
}
