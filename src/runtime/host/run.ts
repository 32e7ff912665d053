import { isModuleReader, OperatorError } from '@keelson/kubernetes/apimachinery';
import { type Needs, type Operator, type OperatorModel, runtimeSettingsOf } from 'keelson/internal/definition';
import { systemClock } from '../clock/index.js';
import { createLog, type Log } from '../telemetry/index.js';
import { switchLevelBySignal } from './log-switch.js';
import type { StartOptions } from './options.js';
import { type HostProcess, ProcessEnding } from './process-ending.js';
import { start } from './start.js';

/** Options of {@link run}. */
export interface RunOptions extends StartOptions {
  /** The process that signals reach and that is ended; a test gives its own. @defaultValue the process itself */
  readonly process?: HostProcess | undefined;
}

type Say = (message: string, fields: Readonly<Record<string, unknown>>) => void;

/**
 * Runs an operator as the only purpose of a process: what an image's entry point calls.
 *
 * Settings come from the environment, where the manifests write them. SIGTERM and SIGINT drain and end it with exit code 0, also while it starts; a second one
 * ends it at once. Work that has not ended a second before the kubelet would kill the process is left behind, with a last word and exit code 1; so is, five
 * seconds after the operator's end, what a reconciler has left running, with the exit code that there is. If it cannot start or go on, the reason is its last
 * line in the log, with exit code 1. An uncaught error, in a timer or a forgotten promise, ends the process in the same way, after the Lease has been let go
 * of: it is unknown in which state it has left things (H65). SIGUSR2 makes the log write at `debug`, and a second one as before. In a command that loads the module
 * for what it exports, such as `keelson plan`, nothing starts.
 *
 * @example
 * ```ts
 * await run(operator, { concurrency: 20, controllers: { memcached: { timeLimit: '1m' } } });
 * ```
 */
export function run(operator: Operator): Promise<void>;
export function run<TExternals>(operator: Operator<TExternals>, options: RunOptions & Needs<NoInfer<TExternals>>): Promise<void>;
export async function run(operator: OperatorModel, options: RunOptions = {}): Promise<void> {
  if (isModuleReader()) return;
  const { process: host = process as unknown as HostProcess, environment = host.env } = options;
  let log: Log | undefined;
  let keepLevel: (() => void) | undefined;
  const say: Say = (message, fields) => (log === undefined ? options.log?.error(message, fields) : log.fatal(message, fields));
  const ending = new ProcessEnding({ host, say, clock: options.clock ?? systemClock });
  ending.listen();
  try {
    log = options.log === undefined ? await logOf(environment) : undefined;
    if (log !== undefined) keepLevel = switchLevelBySignal(host, log);
    const settings = options.settings ?? runtimeSettingsOf(environment);
    ending.limit(settings.drainSeconds);
    const running = await start(operator, { ...options, environment, settings, log: options.log ?? log });
    ending.of(running);
    await running.ended.catch((error: unknown) => ending.failed('the operator cannot go on', { error }));
  } catch (error) {
    ending.failed('the operator cannot start', { operator: operator.name, error });
  } finally {
    keepLevel?.();
    ending.close();
  }
}

/** `start` reports settings that cannot be read; until then the log has its default form. */
async function logOf(environment: Readonly<Record<string, string | undefined>>): Promise<Log> {
  try {
    return await createLog({ level: runtimeSettingsOf(environment).logLevel });
  } catch (error) {
    if (!OperatorError.isOperatorError(error)) throw error;
    return createLog();
  }
}
