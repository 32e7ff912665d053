/** Parts of an operator beside its controllers: checks, endpoints, tasks. Way in: {@link OperatorParts}, which the options of `defineOperator` extend. */
export type { Check, CheckOptions, EndpointOptions, OperatorParts, PartContext, TaskOptions } from './parts.js';
export { PART_SHAPES, partProblems, partsOf } from './parts-of.js';
