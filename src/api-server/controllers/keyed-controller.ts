import type { Resource } from '../contract/index.js';
import type { Controller, ControllerSurroundings } from './controller.js';
import { type FedEvent, ObjectFeed } from './object-feed.js';
import { RecordedFailure } from './recorded-failure.js';
import { WorkQueue } from './work-queue.js';

/** Adds keys to the queue of a controller. */
export interface Enqueue {
  add(key: string): void;
  addAfter(key: string, delayMs: number): void;
}

export interface ControllerParts {
  readonly name: string;
  /** Resources whose events matter. */
  readonly wants: (resource: Resource) => boolean;
  readonly onEvent: (event: FedEvent, enqueue: Enqueue) => void;
  /** Called before the first event: what else than events names keys begins here. */
  readonly onStart?: (enqueue: Enqueue) => void;
  readonly handle: (key: string, enqueue: Enqueue) => Promise<void>;
}

/** A controller of the usual form: events name keys, keys are handled one at a time. */
export function keyedController(
  { name, wants, onEvent, onStart, handle }: ControllerParts,
  surroundings: ControllerSurroundings,
): Controller {
  const queue: WorkQueue = new WorkQueue({
    clock: surroundings.clock,
    handle: (key) => handle(key, queue),
    onFailure: (key, error) => {
      if (!RecordedFailure.isRecordedFailure(error)) surroundings.report({ controller: name, key, error });
    },
  });
  const feed = new ObjectFeed(surroundings, { wants, onEvent: (event) => onEvent(event, queue) });
  return {
    name,
    get isIdle() {
      return queue.isIdle;
    },
    start() {
      onStart?.(queue);
      feed.start();
    },
    async stop() {
      feed.stop();
      await queue.stop();
    },
  };
}
