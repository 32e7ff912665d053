import { RE2JS } from 're2js';

const compiled = new Map<string, RE2JS | string>();
/** Patterns are nearly always literals of a few rules; the bound is for those built from data. */
const MAX_CACHED = 256;

/** A compiled RE2 pattern, or what is wrong with it in Go's words. */
export function compilePattern(pattern: string): RE2JS | string {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  let result: RE2JS | string;
  try {
    result = RE2JS.compile(pattern);
  } catch (error) {
    result = error instanceof Error ? error.message : String(error);
  }
  if (compiled.size >= MAX_CACHED) compiled.clear();
  compiled.set(pattern, result);
  return result;
}
