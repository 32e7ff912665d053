import { equalJson, isRecord } from '@keelson/kubernetes/apimachinery';
import { PackageError } from '../errors.js';
import type { ValueModel, ValueTree } from '../values/index.js';

/** The defaults with other values in their place. @throws PackageError naming the value that is not taken */
export function filled({ defaults, problemOf }: ValueModel, given: object): ValueTree {
  const values = merged(defaults, given as ValueTree);
  const problem = problemOf(values);
  if (problem !== undefined) throw new PackageError(problem);
  return equalJson(values, defaults) ? defaults : values;
}

/** Objects are joined field by field where both are objects; a list, and a map that is a value of its own, is replaced by what Helm also joins. */
function merged(base: ValueTree, over: ValueTree): ValueTree {
  return Object.fromEntries(
    [...new Set([...Object.keys(base), ...Object.keys(over)])].map((key) => {
      const [left, right] = [base[key], over[key]];
      if (right === undefined) return [key, left ?? null];
      return [key, isRecord(left) && isRecord(right) ? merged(left as ValueTree, right as ValueTree) : right];
    }),
  );
}
