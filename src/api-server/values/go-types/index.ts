/**
 * The Go types of the built-in kinds, and what the API server's decoders make of a document: a client gets back what Go would write, not what was sent.
 *
 * A server decodes a body with {@link GoTypes.decodeJson} or {@link GoTypes.decodeProtobuf}, defaults and changes the result, and answers with
 * {@link GoTypes.storedForm} of it.
 */
export { GoDecodeError } from './errors.js';
export { canonicalTime, parseTime } from './go-time.js';
export { type DecodedJson, type DecodedProtobuf, type GoStruct, GoTypes, type KindName } from './go-types.js';
export { readTypeMeta, type TypeMeta } from './read-type-meta.js';
export type { GoField, GoType } from './table.js';
