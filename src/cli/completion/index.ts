/** `keelson completion`: scripts for shells, made from the usages of the commands. The way in is {@link runCompletion}. */
export { runCompletion } from './completion-command.js';
