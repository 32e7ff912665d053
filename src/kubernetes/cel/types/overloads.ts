import type { Overload } from './declarations.js';
import { type CelType, DYN, partsOf, sameType, withParts } from './type.js';
import type { Unifier } from './unify.js';

export interface ArgumentTypes {
  /** Called on a target, which is the first argument. */
  readonly member: boolean;
  readonly argTypes: readonly CelType[];
}

export interface Resolution {
  /** Dyn where the overloads differ. */
  readonly result: CelType;
  /** The signatures of all overloads that fit: of an argument of no known type it is not decided before the evaluation. */
  readonly signatures: readonly string[];
}

/** The overloads that fit; `undefined`: none does. */
export function resolveOverload(
  overloads: readonly Overload[],
  { member, argTypes }: ArgumentTypes,
  unifier: Unifier,
): Resolution | undefined {
  let result: CelType | undefined;
  const signatures: string[] = [];
  for (const overload of overloads) {
    if (overload.member !== member) continue;
    const instance = instantiate(overload, unifier);
    if (!unifier.assignAll(argTypes, instance.args)) continue;
    signatures.push(overload.signature);
    const type = unifier.substitute(instance.result, false);
    if (result === undefined) result = type;
    else if (result.kind !== 'dyn' && !sameType(type, result)) result = DYN;
  }
  return result === undefined ? undefined : { result, signatures };
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
