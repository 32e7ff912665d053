/** `keelson init`: a new project. The way in is {@link runInit}. */
export { runInit } from './init-command.js';
