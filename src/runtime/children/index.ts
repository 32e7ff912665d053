/** The children of a reconciled object: applied, watched for drift, pruned. */
export { APPLIED_ANNOTATION, type Owner } from './child.js';
export {
  type ChildrenRequest,
  type ChildrenResult,
  ChildrenWriter,
  type ChildrenWriterOptions,
  controllerUids,
  OWNER_INDEX,
} from './children-writer.js';
export { ChildInvalidError, ChildTakenError } from './errors.js';
