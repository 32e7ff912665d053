/** Which requests a webhook, a policy or a binding is about. */
export {
  equivalentsOf,
  isExempt,
  matchesObject,
  matchesRule,
  matchNamespace,
  type OperationRule,
  type Selectors,
  type VersionedResource,
} from './match.js';
export { selectorOf } from './selector-of.js';
