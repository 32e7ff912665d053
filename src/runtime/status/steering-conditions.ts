import { conditionsOf, type StatusFields } from './status-fields.js';

/** The condition of a paused object; it is there only while it is true. */
export const PAUSED = 'Paused';
/** Tells the framework's condition from one of the same type that the reconciler states. */
export const PAUSED_REASON = 'PausedByAnnotation';

/** Whether a status says that its object is paused. */
export function isSaidPaused(status: StatusFields | undefined): boolean {
  return conditionsOf(status).some(({ type, status: is, reason }) => type === PAUSED && is === 'True' && reason === PAUSED_REASON);
}

/** The condition of an object whose runs are observed; it is there only while they are. */
export const WOULD_CHANGE = 'WouldChange';
export const OBSERVED_REASON = 'Observed';
