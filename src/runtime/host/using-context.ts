import type { Logger, UseModel } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';
import type { Given } from '../outside/index.js';

/** A declaration of the author's with a function of its own: a task, a check, an endpoint. */
interface Using {
  readonly uses?: Readonly<Record<string, UseModel>> | undefined;
}

export interface UsingParts {
  readonly given: Pick<Given, 'under'>;
  readonly log: Logger;
  readonly clock: Clock;
}

/** Makes the contexts of such functions: what they use, their signal, a log, and the time of the process. */
export function contextsOf({ given, log, clock }: UsingParts): (using: Using) => (signal: AbortSignal) => object {
  return ({ uses = {} }) =>
    (signal) => ({ ...given.under(Object.keys(uses), signal), signal, log, now: () => new Date(clock.wallMs()) });
}
