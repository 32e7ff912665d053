import type { WholeAnswer } from './carried-transport.js';

const REASONS = {
  409: ['Conflict', 'the object has been modified; please apply your changes to the latest version and try again'],
  410: ['Expired', 'The resourceVersion for the provided watch is too old.'],
  429: ['TooManyRequests', 'try again later'],
  500: ['InternalError', 'try again later'],
  503: ['ServiceUnavailable', 'try again later'],
} as const;

export type RefusalStatus = keyof typeof REASONS;

/** The Status with which an API server refuses a request, or ends a watch. */
export function statusOf(code: RefusalStatus): object {
  const [reason, message] = REASONS[code];
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
}

export function statusAnswer(status: RefusalStatus): WholeAnswer {
  return { status, body: Buffer.from(JSON.stringify(statusOf(status))) };
}
