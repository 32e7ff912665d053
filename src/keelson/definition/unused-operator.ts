import { isProcessDoorOpen } from '@keelson/kubernetes/apimachinery';
import type { OperatorModel } from './model.js';

/** Frames above the caller of `defineOperator`: the message, this function, and the two of `operator.ts`. */
const OWN_FRAMES = 4;

/**
 * Warns the author of a program that only defines an operator: run as it is, it would end with status 0 and say nothing.
 *
 * Only an operator that the main module defines is looked at. All that runs, synthesizes, packages or tests an operator reads a field of it; a program that uses @keelson/runtime otherwise has something to do.
 */
export function warnedOfIfUnused(operator: OperatorModel): OperatorModel {
  if (!isDefinedByMain(new Error().stack)) return Object.freeze(operator);
  let isUsed = false;
  process.once('beforeExit', () => {
    if (isUsed || isProcessDoorOpen()) return;
    process.emitWarning(
      `this program defines the operator ${operator.name}, and does not run it. To run it, write a module of its own: import { run } from '@keelson/runtime'; await run(operator)`,
      { type: 'KeelsonWarning', code: 'KEELSON_OPERATOR_UNUSED' },
    );
  });
  const getters = Object.entries(operator).map(([key, value]) => {
    const get = (): unknown => {
      isUsed = true;
      return value;
    };
    return [key, { enumerable: true, get }] as const;
  });
  return Object.freeze(Object.defineProperties({}, Object.fromEntries(getters))) as OperatorModel;
}

function isDefinedByMain(stack = ''): boolean {
  const main = typeof process === 'undefined' ? undefined : process.argv[1];
  const caller = stack.split('\n')[OWN_FRAMES];
  // A module of ECMAScript is named by its URL.
  return main !== undefined && caller !== undefined && [main, encodeURI(main)].some((path) => caller.includes(`${path}:`));
}
