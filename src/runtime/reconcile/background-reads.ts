import type { ControllerModel, Logger } from 'keelson/internal/definition';
import type { Presence, StoredObject } from '../cache/index.js';
import type { ApiClient } from '../client/index.js';
import type { BackgroundReads } from '../outside/index.js';
import { readsHandles } from './handles.js';
import { RunCalls, withItsCalls } from './run-calls.js';

interface Reader {
  readonly controller: Pick<ControllerModel, 'reads'>;
  /** One that keeps no journal: background work goes on beside the runs that started it. */
  readonly client: ApiClient;
  readonly log: Logger;
  readonly served: readonly string[] | undefined;
  /** Whether kinds are served that may be missing, by handle. @defaultValue all are needed */
  readonly optional?: Readonly<Record<string, Presence>> | undefined;
}

/** The handles of a controller's `reads` for one piece of background work. */
export function backgroundReads(
  { controller, client, log, served, optional = {} }: Reader,
  object: StoredObject,
  signal: AbortSignal,
): BackgroundReads {
  const calls = new RunCalls(log);
  const scope = { client, object, signal, calls, served };
  return {
    handles: readsHandles(controller.reads, optional, scope),
    around: (call) => withItsCalls(calls, call),
  };
}
