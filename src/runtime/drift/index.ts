/** Whether what is there says what is wanted. Pure. */
export { covers } from './covers.js';
export { hasSameContent } from './same-content.js';
