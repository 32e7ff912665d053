import { compileGoPattern } from '../../kubernetes/index.js';
import { unsupportedIn } from '../convert/index.js';

/** Why RE2 cannot read a pattern, with the usual suspects by name; `undefined` when it can. */
export function patternProblem(pattern: string): string | undefined {
  const known = unsupportedIn(pattern);
  if (known !== undefined) return known;
  try {
    compileGoPattern(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
