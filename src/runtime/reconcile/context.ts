import type { ControllerModel, Events, Logger, Trigger } from 'keelson/internal/definition';
import type { StoredObject } from '../cache/index.js';
import { done } from './outcome.js';

export interface ContextParts {
  readonly object: StoredObject;
  readonly handles: Readonly<Record<string, unknown>>;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly events: Events;
  readonly now: () => Date;
  readonly trigger: Trigger;
  readonly attempt: number;
  readonly status: { readonly write: (part: object) => Promise<void> };
  /** Absent in `finalize`: an object that is being deleted gets no children. */
  readonly owned?: { readonly apply: (children: object) => Promise<void> } | undefined;
}

/** The context of a reconciler: its handles by name, and the rest. */
export function contextOf({ handles, ...rest }: ContextParts): object {
  return Object.freeze({ ...handles, ...rest, done });
}

type UserFunction = (context: object) => unknown;

export function reconcileFunction({ reconcile }: ControllerModel): UserFunction {
  return reconcile as UserFunction;
}

export function finalizeFunction({ finalize }: ControllerModel): UserFunction | undefined {
  return finalize as UserFunction | undefined;
}

/** The same logger with more fields in each line. */
export function withFields(log: Logger, fields: Readonly<Record<string, unknown>>): Logger {
  return {
    debug: (message, more) => log.debug(message, { ...fields, ...more }),
    info: (message, more) => log.info(message, { ...fields, ...more }),
    warn: (message, more) => log.warn(message, { ...fields, ...more }),
    error: (message, more) => log.error(message, { ...fields, ...more }),
  };
}
