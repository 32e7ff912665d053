/** Parts of an operator beside its controllers: checks, endpoints, tasks. Way in: {@link OperatorParts}, which the options of `defineOperator` extend. */
export type {
  AnyParts,
  Check,
  CheckOptions,
  EndpointOptions,
  NeedsOfParts,
  OperatorParts,
  PartBase,
  PartContext,
  TaskOptions,
} from './parts.js';
export { PART_SHAPES, partProblems, partsOf } from './parts-of.js';
