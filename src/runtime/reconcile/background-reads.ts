import type { ControllerModel, Logger } from '../../keelson/definition/index.js';
import type { StoredObject } from '../cache/index.js';
import type { ApiClient } from '../client/index.js';
import type { BackgroundReads } from '../outside/index.js';
import { readsHandle } from './handles.js';
import { RunCalls, withItsCalls } from './run-calls.js';

interface Reader {
  readonly controller: Pick<ControllerModel, 'reads'>;
  /** One that keeps no journal: background work goes on beside the runs that started it. */
  readonly client: ApiClient;
  readonly log: Logger;
  readonly served: readonly string[] | undefined;
}

/** The handles of a controller's `reads` for one piece of background work. */
export function backgroundReads({ controller, client, log, served }: Reader, object: StoredObject, signal: AbortSignal): BackgroundReads {
  const calls = new RunCalls(log);
  const scope = { client, object, signal, calls, served };
  return {
    handles: Object.fromEntries(Object.entries(controller.reads).map(([name, read]) => [name, readsHandle(name, read, scope)])),
    around: (call) => withItsCalls(calls, call),
  };
}
