/** Keeps credentials out of what people read: the log, conditions, spans. */
export { HIDDEN, withoutCredentials } from './credentials.js';
export { isSecretName } from './secret-names.js';
