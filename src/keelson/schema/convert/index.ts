/** zod to structural schema: one converter for each kind of zod schema, refusals with the alternative to write. */
export type { Converted } from './context.js';
export { type ConvertedRoot, convertRoot, type EmbeddedType } from './convert-root.js';
export { unsupportedIn } from './go-pattern.js';
