/** Signals that end with others: a run with its term, a term with its process. Way in: {@link LinkedAbort}. */
export { LinkedAbort } from './linked-abort.js';
