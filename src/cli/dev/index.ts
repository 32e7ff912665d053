/** `keelson dev`: an operator against an API server of its own, started again when a source changes. The way in is {@link runDev}. */
export { runDev } from './dev-command.js';
