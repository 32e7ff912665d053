/** The paths of printer columns and selectable fields: kubectl's JSONPath without its templates. */
export { findByPath } from './find.js';
export { JsonPathError, type PathNode } from './node.js';
export { parseJsonPath } from './parse.js';
export { printed } from './print.js';
