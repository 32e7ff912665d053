/** Keeps credentials out of what people read: the log, conditions, spans. */
export { withoutCredentials } from './credentials.js';
export { isSecretArgument } from './flags.js';
export { HIDDEN } from './hidden.js';
export { isSecretEntry, isSecretName } from './secret-names.js';
