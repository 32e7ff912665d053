export type { Converted } from './context.js';
export { type ConvertedRoot, convertRoot } from './convert-root.js';
export { unsupportedIn } from './go-pattern.js';
