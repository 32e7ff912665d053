import type { Logger } from 'keelson/internal/definition';
import type { Informer, Presence } from '../../cache/index.js';
import { Outside } from '../../outside/index.js';
import type { WorkQueue } from '../../queue/index.js';
import { backgroundReads } from '../background-reads.js';
import type { ControllerRunnerOptions } from './options.js';

export interface OutsideParts {
  readonly informer: Informer;
  readonly optional?: Readonly<Record<string, Presence>> | undefined;
  readonly queue: WorkQueue;
  readonly log: Logger;
}

/**
 * The world outside as a controller declares it; `undefined` for a controller that declares nothing of it.
 *
 * @throws TypeError for a controller that uses something, in a process that was given nothing
 */
export function outsideOf(options: ControllerRunnerOptions, { informer, optional, queue, log }: OutsideParts): Outside | undefined {
  const { controller, given, clock, random, concurrency, outsideObserver: observer } = options;
  const uses = Object.keys(controller.uses);
  if (uses.length + Object.keys(controller.observes).length + Object.keys(controller.background).length === 0) return undefined;
  if (given === undefined) throw new TypeError(`controller ${controller.name} uses ${uses.join(', ') || 'sources'}, and nothing is given`);
  return new Outside({
    declared: { uses, observes: controller.observes, background: controller.background },
    given,
    scope: controller.for.scope,
    clock,
    log,
    random,
    concurrency,
    observer,
    newest: (key) => informer.get(key),
    enqueue: (key, trigger) => queue.add(key, { trigger }),
    reads: (object, signal) =>
      backgroundReads({ controller, client: options.client, log, served: options.cache.namespaces, optional }, object, signal),
  });
}
