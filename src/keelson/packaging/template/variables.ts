import type { Json } from '@keelson/kubernetes/apimachinery';
import type { ValueLeaf } from '../values/index.js';
import type { Probes } from './probes.js';
import type { State, Variable } from './template.js';

/** A state with values that are in it. */
export interface ProbedState extends State {
  /** The value that is found again in the manifests, if the state has one. */
  readonly probe: (probes: Probes) => Json;
  /** Ordinary values, to check with. */
  readonly examples: readonly Json[];
}

/** A variable whose states can be tried. */
export interface ProbedVariable extends Variable {
  readonly states: readonly ProbedState[];
}

/**
 * The states of a value.
 *
 * @param mayBeEmpty whether the schema takes an empty text, list or map
 * @param threshold least whole number that constructs treat like all above it
 */
export function variableOf(leaf: ValueLeaf, mayBeEmpty: boolean, threshold: number | undefined): ProbedVariable {
  switch (leaf.type) {
    case 'choice':
      return { leaf, states: leaf.options.map((option) => choiceState(option)) };
    case 'integer':
    case 'number':
      return { leaf, states: numberStates(leaf, threshold) };
    default:
      return { leaf, states: [...(mayBeEmpty ? [emptyState(leaf)] : []), givenState(leaf)] };
  }
}

function choiceState(option: Json): ProbedState {
  const condition = (value: string): string => {
    if (typeof option === 'boolean') return option ? value : `not ${value}`;
    return `eq ${value} ${JSON.stringify(option)}`;
  };
  return { holds: (value) => value === option, condition, probe: () => option, examples: [option] };
}

function emptyState({ type, byDefault }: ValueLeaf): ProbedState {
  const empty: Json = type === 'text' ? '' : type === 'list' ? [] : {};
  return {
    holds: isEmpty,
    condition: (value) => `not ${value}`,
    probe: () => empty,
    examples: isEmpty(byDefault) ? [byDefault] : [empty],
  };
}

function givenState(leaf: ValueLeaf): ProbedState {
  return {
    holds: (value) => !isEmpty(value),
    condition: (value) => value,
    probe: (probes) => probes.value(leaf),
    examples: isEmpty(leaf.byDefault) ? [] : [leaf.byDefault],
  };
}

function numberStates(leaf: ValueLeaf, threshold: number | undefined): readonly ProbedState[] {
  const above = (value: Json): boolean => typeof value === 'number' && (threshold === undefined || value >= threshold);
  const high: ProbedState = {
    holds: above,
    condition: (value) => `ge (int64 ${value}) ${threshold ?? 0}`,
    probe: (probes) => probes.value(leaf),
    examples: [...(above(leaf.byDefault) ? [leaf.byDefault] : []), ...(threshold === undefined ? [] : [threshold])],
  };
  if (threshold === undefined) return [high];
  const least = Number(leaf.schema['minimum'] ?? 0);
  const low: ProbedState = {
    holds: (value) => !above(value),
    condition: (value) => `lt (int64 ${value}) ${threshold}`,
    probe: () => threshold - 1,
    examples: [...(above(leaf.byDefault) ? [] : [leaf.byDefault]), ...(least < threshold ? [least] : [])],
  };
  return [low, high];
}

export function isEmpty(value: Json): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
