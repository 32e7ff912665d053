import { type OperatorModel, runtimeSettingsOf } from '../../definition/index.js';
import { OperatorError } from '../../kubernetes/index.js';
import { createLog, type Log } from '../telemetry/index.js';
import type { StartOptions } from './options.js';
import type { RunningOperator } from './running-operator.js';
import { start } from './start.js';

/** As much of a process as `run` needs. */
export interface HostProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  exitCode?: number | string | null | undefined;
  on(event: string, listener: (value: never) => void): unknown;
  off(event: string, listener: (value: never) => void): unknown;
  exit(code: number): void;
}

export interface RunOptions extends StartOptions {
  /** @defaultValue the process itself */
  readonly process?: HostProcess | undefined;
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Runs an operator as the only purpose of a process: what an image's entry point calls.
 *
 * Settings come from the environment, where the manifests write them. SIGTERM and SIGINT drain and end it with exit code 0; a second one ends it at once. What
 * it cannot start or go on with is its last line in the log, and exit code 1. An error that nobody caught, in a timer or a forgotten promise, ends the process
 * in the same way, after the Lease has been let go of: nobody knows in which state it has left things (H65).
 */
export async function run(operator: OperatorModel, options: RunOptions = {}): Promise<void> {
  const { process: host = process as unknown as HostProcess, environment = host.env } = options;
  const log = options.log === undefined ? await logOf(environment) : undefined;
  const say = (message: string, fields: Readonly<Record<string, unknown>>): void =>
    log === undefined ? options.log?.error(message, fields) : log.fatal(message, fields);
  let running: RunningOperator;
  try {
    running = await start(operator, { ...options, environment, log: options.log ?? log });
  } catch (error) {
    say('the operator cannot start', { operator: operator.name, error });
    host.exitCode = 1;
    return;
  }
  await untilEnded(running, host, say);
}

async function untilEnded(
  running: RunningOperator,
  host: HostProcess,
  say: (message: string, fields: Readonly<Record<string, unknown>>) => void,
): Promise<void> {
  const onSignal = (signal: string): void => {
    if (running.isStopping) {
      say('ended at once by a second signal', { signal });
      host.exit(1);
    }
    void running.stop().catch(() => undefined);
  };
  const onUncaught = (error: unknown): void => {
    say('an error that nobody caught: the process ends', { error });
    host.exitCode = 1;
    void running.stop().catch(() => undefined);
  };
  for (const signal of SIGNALS) host.on(signal, onSignal);
  host.on('uncaughtException', onUncaught);
  host.on('unhandledRejection', onUncaught);
  try {
    await running.ended;
  } catch (error) {
    say('the operator cannot go on', { error });
    host.exitCode = 1;
  } finally {
    for (const signal of SIGNALS) host.off(signal, onSignal);
    host.off('uncaughtException', onUncaught);
    host.off('unhandledRejection', onUncaught);
  }
}

/** Settings that cannot be read are told by `start`; until then the log is as it is by default. */
async function logOf(environment: Readonly<Record<string, string | undefined>>): Promise<Log> {
  try {
    return await createLog({ level: runtimeSettingsOf(environment).logLevel });
  } catch (error) {
    if (!OperatorError.isOperatorError(error)) throw error;
    return createLog();
  }
}
