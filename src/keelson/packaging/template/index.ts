/** Manifests as a function of values, learned from synthesizing them many times. Way in: {@link inferTemplates}. */
export { type InferredTemplates, inferTemplates } from './inference.js';
export type { RefusalCondition, RefusalRule } from './refusals.js';
export type { Fact, Inference, Synthesized } from './synthesis.js';
export {
  ABSENT,
  type Filling,
  type MapTemplate,
  type Parts,
  type Reference,
  type SwitchCase,
  type Template,
  type Variable,
  withLiterals,
} from './template.js';
export type { ProbedVariable } from './variables.js';
