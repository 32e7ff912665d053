/** The last runs of each object, for those who ask why: what brought them, what they read and wrote, how they ended. Way in: {@link Journal}. */
export { type FieldChange, fieldChangesOf, fieldChangeText } from './difference.js';
export { Journal, type JournalFilter, type JournalOptions } from './journal.js';
export { journalText } from './journal-text.js';
export { recordedHandle } from './recorded-handle.js';
export { recordingClient } from './recording-client.js';
export { type JournalOutcome, type JournalRead, type JournalRun, type JournalWrite, RUN_CHANNEL, RunRecord } from './run-record.js';
