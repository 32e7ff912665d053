/** The children of a reconciled object: applied, watched for drift, pruned. */
export { childrenOf, desiredHandle, heldBy, holdOf, labelled, otherLabel } from './child.js';
export {
  type ChildrenRequest,
  type ChildrenResult,
  ChildrenWriter,
  type ChildrenWriterOptions,
  type OwnedHandle,
} from './children-writer.js';
export { ChildInvalidError, ChildTakenError } from './errors.js';
export { APPLIED_ANNOTATION, appliedMark, controllerUids, isMadeAnnotation, OWNER_INDEX, type Owner, ownerKeys } from './marks.js';
export type { ReleasedHandle } from './released.js';
