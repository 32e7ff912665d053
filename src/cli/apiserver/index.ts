/** `keelson apiserver`: the in-process API server of `keelson/testing` in a process of its own. */
export { runApiServer } from './apiserver-command.js';
