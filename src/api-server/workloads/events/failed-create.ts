import { ToldFailure } from '../../controllers/index.js';
import { StatusError } from '../../status/index.js';
import type { EventRecorder, EventSubject } from './event-recorder.js';

interface FailedCreate {
  readonly error: Error;
  readonly message: string;
  readonly reason?: string;
}

/**
 * Tells the user by an Event that the server has refused an object that a controller creates: a name that is too long, a quota, a policy, a webhook.
 *
 * @returns the error to throw: an error that is not an answer of the server is a fault of the controller, and stays one
 */
export function failedCreate(events: EventRecorder, about: EventSubject, { error, message, reason = 'FailedCreate' }: FailedCreate): Error {
  if (!StatusError.isStatusError(error) && !ToldFailure.isToldFailure(error)) return error;
  events.record(about, { type: 'Warning', reason, message });
  return new ToldFailure(error);
}
