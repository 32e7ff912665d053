import { messageOf } from '@keelson/kubernetes/apimachinery';
import { compileGoPattern } from '@keelson/kubernetes/re2';
import { PatternProblem, translatePattern } from './translate-pattern.js';

/** A JavaScript regular expression in Go's syntax, or the reason why it has no translation. */
export type GoPatternResult = { readonly pattern: string } | { readonly problem: string };

/**
 * Translates what the two dialects write or read differently, so that both match the same texts, and refuses what RE2 cannot do (it matches in linear time: no
 * lookaround, no back references).
 *
 * Characters beyond U+FFFF are the exception: without the flag `u` JavaScript counts each as two.
 */
export function goPatternOf(expression: RegExp): GoPatternResult {
  const { source, flags } = expression;
  const refused = [...flags].map((flag) => REFUSED_FLAGS[flag]).find((problem) => problem !== undefined) ?? unsupportedIn(source);
  if (refused !== undefined) return { problem: refused };
  const unicode = flags.includes('u');
  const ignoreCase = flags.includes('i');
  try {
    const dotAll = flags.includes('s');
    const prefix = `${ignoreCase && unicode ? 'i' : ''}${dotAll && hasDot(source) ? 's' : ''}`;
    const pattern = `${prefix === '' ? '' : `(?${prefix})`}${translatePattern(source, { unicode, ignoreCase, dotAll })}`;
    return compiled(pattern);
  } catch (error) {
    if (error instanceof PatternProblem) return { problem: error.message };
    throw error;
  }
}

function compiled(pattern: string): GoPatternResult {
  try {
    compileGoPattern(pattern);
    return { pattern };
  } catch (error) {
    return { problem: `Go's regular expressions (RE2) cannot read it: ${messageOf(error)}` };
  }
}

const REFUSED_FLAGS: Readonly<Record<string, string>> = {
  y: 'flag y (sticky) has no counterpart in RE2; anchor the pattern with ^',
  v: 'flag v (set notation) has no counterpart in RE2; write the character class out',
  m: 'flag m (multiline): JavaScript ends a line at \\r too, RE2 at \\n alone; write (^|\\n) and (\\n|$)',
};

function hasDot(source: string): boolean {
  return source.replace(/\\[\s\S]/g, '').includes('.');
}

/** Finds lookaround and back references, to name them: RE2's own message is `invalid or unsupported Perl syntax`. */
export function unsupportedIn(source: string): string | undefined {
  let inClass = false;
  for (let index = 0; index < source.length; index += 1) {
    const character = source[index];
    if (character === '\\') {
      const next = source[index + 1] ?? '';
      if (!inClass && (/[1-9]/.test(next) || (next === 'k' && source[index + 2] === '<'))) {
        return 'a back reference is not supported by RE2, which the API server uses; write the alternatives out, or check it with k.rule()';
      }
      index += 1;
    } else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (!inClass && /^\(\?<?[=!]/.test(source.slice(index, index + 4))) {
      return 'lookaround is not supported by RE2, which the API server uses; split it into several patterns, or check it with k.rule()';
    }
  }
  return undefined;
}
