import type { Overload } from './declarations.js';
import { type CelType, DYN, partsOf, sameType, withParts } from './type.js';
import type { Unifier } from './unify.js';

export interface ArgumentTypes {
  /** Called on a target, which is the first argument. */
  readonly member: boolean;
  readonly argTypes: readonly CelType[];
}

/** The result of the overloads that fit, dyn where they differ; `undefined`: none fits. */
export function resolveOverload(
  overloads: readonly Overload[],
  { member, argTypes }: ArgumentTypes,
  unifier: Unifier,
): CelType | undefined {
  let result: CelType | undefined;
  for (const overload of overloads) {
    if (overload.member !== member) continue;
    const instance = instantiate(overload, unifier);
    if (!unifier.assignAll(argTypes, instance.args)) continue;
    const type = unifier.substitute(instance.result, false);
    if (result === undefined) result = type;
    else if (result.kind !== 'dyn' && !sameType(type, result)) result = DYN;
  }
  return result;
}

/** The overload with type parameters of its own. */
function instantiate(overload: Overload, unifier: Unifier): { args: readonly CelType[]; result: CelType } {
  if (overload.parameters.length === 0) return overload;
  const fresh = new Map(overload.parameters.map((name) => [name, unifier.fresh()]));
  const rename = (type: CelType): CelType => {
    if (type.kind === 'parameter') return fresh.get(type.name) ?? type;
    return withParts(type, partsOf(type).map(rename));
  };
  return { args: overload.args.map(rename), result: rename(overload.result) };
}
