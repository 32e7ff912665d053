/** What a server keeps over a restart: objects and keys. */
export { DataFolder } from './data-folder.js';
export { KeptKeys } from './kept-keys.js';
