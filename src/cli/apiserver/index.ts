/** `keelson apiserver`: the in-process API server of `@keelson/api-server` in a process of its own. */
export { runApiServer } from './apiserver-command.js';
