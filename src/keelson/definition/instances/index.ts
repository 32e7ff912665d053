/** Several installations of one operator in a cluster: which objects each is for. */
export {
  type InstanceSelector,
  instanceLabels,
  isNarrowed,
  isSelective,
  joined as joinedSelectors,
  type SelectorProblem,
  selectedBy,
  selectorProblem,
} from './selector.js';
