import type { Log } from '../telemetry/index.js';
import type { HostProcess } from './process-ending.js';

/** Node itself takes SIGUSR1, for its debugger. */
const SIGNAL = 'SIGUSR2';

/**
 * Lets people see more of a process that runs: the first SIGUSR2 makes its log write at `debug`, the next one as before.
 *
 * @returns ends it
 */
export function switchLevelBySignal(host: Pick<HostProcess, 'on' | 'off'>, log: Log): () => void {
  const usual = log.level;
  const onSignal = (): void => {
    log.level = log.level === usual ? 'debug' : usual;
    // Written at every level: the sender of the signal looks for this line.
    log.fatal(`the log is written at ${log.level}`, { signal: SIGNAL });
  };
  host.on(SIGNAL, onSignal);
  return () => void host.off(SIGNAL, onSignal);
}
