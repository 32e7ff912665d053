/** `keelson create`: adds files to a project. The way in is {@link runCreate}. */
export { runCreate } from './create-command.js';
