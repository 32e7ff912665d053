import type { Logger } from '../../../keelson/definition/index.js';
import type { StoredObject } from '../../cache/index.js';
import { Breather } from '../../clock/index.js';
import { recordingClient } from '../../journal/index.js';
import type { Outside } from '../../outside/index.js';
import { WorkQueue } from '../../queue/index.js';
import { Share, statusFormOf } from '../../status/index.js';
import { withFields } from '../context.js';
import { cachedObject, type Informers, informersOf } from '../informers.js';
import { idOf, keyOf } from '../object-id.js';
import { ObjectRunner } from '../object-runner.js';
import { HotRests } from './hot-rests.js';
import { LeftRuns } from './left-runs.js';
import type { ControllerRunnerOptions } from './options.js';
import { outsideOf } from './outside-of.js';
import { Pauses } from './pauses.js';
import { RunAborts } from './run-aborts.js';
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
  readonly aborts: RunAborts;
  readonly left: LeftRuns;
  readonly pauses: Pauses;
  readonly scheduler: Scheduler;
  readonly runs: Runs;
  readonly verdicts: Verdicts;
}

/** The parts that all others stand on. */
type Ground = Pick<ControllerParts, 'log' | 'queue' | 'rests' | 'informers' | 'outside' | 'share'>;

/** Puts a controller together, each part from those before it. @throws TypeError where externals are missing */
export function partsOf(options: ControllerRunnerOptions): ControllerParts {
  const ground = groundOf(options);
  const { writers, runner } = writingOf(options, ground);
  const { clock, controller, observer } = options;
  const { log, queue, rests, informers, outside } = ground;
  const aborts = new RunAborts(controller.abortOn);
  const left = new LeftRuns({ controller: controller.name, clock, log, observer });
  const tell = (object: StoredObject, problem: string, signal: AbortSignal): Promise<void> => {
    options.events(object, log).warning('Waiting', problem);
    return runner.waits(object, problem, signal);
  };
  const waits = new Waits({ clock, log, tell });
  const breather = options.breather ?? new Breather(clock);
  return {
    ...ground,
    writers,
    runner,
    aborts,
    left,
    pauses: new Pauses({ ...options, log, queue, runner, managers: managersOf(options, writers) }),
    scheduler: new Scheduler({ queue, rests, waits, primary: informers.primary, referenced: informers.referenced, outside }),
    runs: new Runs({ ...options, runner, aborts, left, breather }),
    verdicts: new Verdicts({ ...options, controller: controller.name, log }),
  };
}

function managersOf(
  { controller: { formerFieldManagers = [] } }: ControllerRunnerOptions,
  { fieldManager, rivals }: Writers,
): ReadonlySet<string> {
  return new Set([fieldManager, ...rivals, ...formerFieldManagers]);
}

function groundOf(options: ControllerRunnerOptions): Ground {
  const { controller, cache, clock, journal } = options;
  const log = withFields(options.log, { controller: controller.name });
  const queue = new WorkQueue({ clock, observer: options.queueObserver, backoff: options.backoff, keepsCauses: journal !== undefined });
  const informers = informersOf({ controller, cache, log });
  return {
    log,
    queue,
    rests: new HotRests(clock, log),
    informers,
    outside: outsideOf(options, { informer: informers.primary, queue, log }),
    share: new Share(controller, options.rivals?.controllers ?? []),
  };
}

function writingOf(options: ControllerRunnerOptions, ground: Ground): Pick<ControllerParts, 'writers' | 'runner'> {
  const { controller, cache, journal, timeLimitMs = 300_000 } = options;
  const { informers, queue, rests, share } = ground;
  const client =
    journal === undefined ? options.client : recordingClient(options.client, journal, (kind, key) => cachedObject(informers, kind, key));
  const onOthers = (object: StoredObject): void => {
    rests.statusChanged(idOf(object.metadata));
    queue.add(keyOf(object), { trigger: { cause: 'object' } });
  };
  const writers = writersOf({ ...ground, options, client, onOthers });
  const runner = new ObjectRunner({
    ...ground,
    ...writers,
    controller,
    client,
    clock: options.clock,
    rivals: new Set(writers.rivals),
    statusForm: statusFormOf(controller, share),
    served: cache.namespaces,
    timeLimitMs,
    events: options.events,
  });
  return { writers, runner };
}
