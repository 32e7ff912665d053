/** Objects and keys that a server keeps over a restart. */
export { DataFolder } from './data-folder.js';
export { KeptKeys } from './kept-keys.js';
