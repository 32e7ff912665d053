import { RecordedFailure } from '../../controllers/index.js';
import { StatusError } from '../../status/index.js';
import type { EventRecorder, EventSubject } from './event-recorder.js';

interface FailedCreate {
  readonly error: Error;
  readonly message: string;
  readonly reason?: string;
}

/**
 * Records an Event about an object that a controller creates and the server refuses: a name that is too long, a quota, a policy, a webhook.
 *
 * @returns the error to throw: an error that is not an answer of the server is a fault of the controller, and stays one
 */
export function failedCreate(events: EventRecorder, about: EventSubject, { error, message, reason = 'FailedCreate' }: FailedCreate): Error {
  if (!StatusError.isStatusError(error) && !RecordedFailure.isRecordedFailure(error)) return error;
  events.record(about, { type: 'Warning', reason, message });
  return new RecordedFailure(error);
}
