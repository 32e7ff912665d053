/** CRDs as the definitions that make them: structural schemas as zod, with a list of what has no equivalent. The way in is {@link definitionOf}. */
export { type Definition, definitionOf } from './definition.js';
export { isDifference, type Note, noteLines } from './note-lines.js';
export { type VersionCopy, versionCopy } from './version-copy.js';
export { literal } from './written.js';
