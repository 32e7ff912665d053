import { channel } from 'node:diagnostics_channel';
import { type Clock, systemClock } from '../clock/index.js';
import type { RunningOperator } from './running-operator.js';

/** Operators that start in this process, for tools in it: `keelson dev` listens. */
export const OPERATOR_CHANNEL = 'keelson:operator';
const STARTS = channel(OPERATOR_CHANNEL);

/** Published twice for each operator. */
export type OperatorMessage =
  | {
      readonly phase: 'starting';
      /** Makes the operator run by another clock than the system's. @returns false if the caller of `start` has given one, which stays */
      readonly useClock: (clock: Clock) => boolean;
    }
  | { readonly phase: 'started'; readonly operator: Pick<RunningOperator, 'enqueue'> };

/** The clock of an operator that starts: the given one, else the one that a tool hands in, else the system's. */
export function clockFor(given: Clock | undefined): Clock {
  if (!STARTS.hasSubscribers) return given ?? systemClock;
  let clock = given ?? systemClock;
  const message: OperatorMessage = {
    phase: 'starting',
    useClock: (offered) => {
      if (given !== undefined) return false;
      clock = offered;
      return true;
    },
  };
  STARTS.publish(message);
  return clock;
}

export function publishStarted(operator: RunningOperator): void {
  if (STARTS.hasSubscribers) STARTS.publish({ phase: 'started', operator } satisfies OperatorMessage);
}
