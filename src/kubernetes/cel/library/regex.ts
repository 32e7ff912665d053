import { messageOf } from '../../apimachinery/index.js';
import { compileGoPattern, type GoPattern } from '../../re2/index.js';

const compiled = new Map<string, GoPattern | string>();
/** Patterns are nearly always literals of a few rules; the bound is for those built from data. */
const MAX_CACHED = 256;

/** A compiled RE2 pattern, or what is wrong with it in Go's words. */
export function compilePattern(pattern: string): GoPattern | string {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  let result: GoPattern | string;
  try {
    result = compileGoPattern(pattern);
  } catch (error) {
    result = messageOf(error);
  }
  if (compiled.size >= MAX_CACHED) compiled.clear();
  compiled.set(pattern, result);
  return result;
}
