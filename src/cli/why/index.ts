/** `keelson why`: what the journal of an operator in a cluster says of one object. Way in: {@link runWhy}. */
export { runWhy } from './why-command.js';
