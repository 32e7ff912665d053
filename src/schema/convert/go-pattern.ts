import { compileGoPattern, messageOf } from '../../kubernetes/index.js';

/** A JavaScript regular expression in Go's syntax, or why there is none. */
export type GoPatternResult = { readonly pattern: string } | { readonly problem: string };

/**
 * Translates what the two dialects write differently, and refuses what RE2 cannot do (it matches in linear time: no lookaround, no back references).
 *
 * `\s` and `.` differ for a few Unicode spaces and line separators: Go's are narrower or wider by those characters only.
 */
export function goPatternOf(expression: RegExp): GoPatternResult {
  const { source, flags } = expression;
  if (flags.includes('y')) return { problem: 'flag y (sticky) has no counterpart in RE2; anchor the pattern with ^' };
  if (flags.includes('v')) return { problem: 'flag v (set notation) has no counterpart in RE2; write the character class out' };
  const unsupported = unsupportedIn(source);
  if (unsupported !== undefined) return { problem: unsupported };
  const prefix = [...'ims'].filter((flag) => flags.includes(flag)).join('');
  const pattern = `${prefix === '' ? '' : `(?${prefix})`}${translate(source, /u/.test(flags))}`;
  try {
    compileGoPattern(pattern);
  } catch (error) {
    return { problem: `Go's regular expressions (RE2) cannot read it: ${messageOf(error)}` };
  }
  return { pattern };
}

/** Tells lookaround and back references by name: RE2's own message is `invalid or unsupported Perl syntax`. */
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
    else if (!inClass && character === '(' && /^\(\?<?[=!]/.test(source.slice(index, index + 4))) {
      return 'lookaround is not supported by RE2, which the API server uses; split it into several patterns, or check it with k.rule()';
    }
  }
  return undefined;
}

const KEPT_ESCAPES = /[dDwWsSbBnrtfvxpP]/;

function translate(source: string, unicode: boolean): string {
  let result = '';
  let inClass = false;
  for (let index = 0; index < source.length; ) {
    const rest = source.slice(index);
    if (rest.startsWith('\\')) {
      const [text, length] = translateEscape(rest, { unicode, inClass });
      result += text;
      index += length;
      continue;
    }
    const everything = !inClass && rest.startsWith('[^]');
    if (everything) {
      result += '[\\x00-\\x{10FFFF}]';
      index += 3;
      continue;
    }
    const character = source[index] ?? '';
    // RE2 reads `[[:` as a POSIX class.
    if (inClass && character === '[') result += '\\[';
    else if (!inClass && /^\(\?<[A-Za-z_$]/.test(rest)) {
      result += '(?P<';
      index += 3;
      continue;
    } else result += character;
    if (character === '[') inClass = true;
    if (character === ']') inClass = false;
    index += 1;
  }
  return result;
}

/** The translated escape and the length of its source. */
function translateEscape(rest: string, { unicode, inClass }: { unicode: boolean; inClass: boolean }): readonly [string, number] {
  const point = (unicode ? /^\\u\{([0-9A-Fa-f]+)\}/.exec(rest) : null) ?? /^\\u([0-9A-Fa-f]{4})/.exec(rest);
  if (point !== null) return [`\\x{${point[1]}}`, point[0].length];
  const control = /^\\c([A-Za-z])/.exec(rest);
  if (control !== null) return [`\\x${((control[1] ?? '').charCodeAt(0) % 32).toString(16).padStart(2, '0')}`, 3];
  const script = unicode ? /^\\([pP])\{(?:Script|sc|General_Category|gc)=(\w+)\}/.exec(rest) : null;
  if (script !== null) return [`\\${script[1]}{${script[2]}}`, script[0].length];
  const letter = rest[1] ?? '';
  if (letter === '0') return ['\\x00', 2];
  if (letter === '/') return ['/', 2];
  if (letter === 'b' && inClass) return ['\\x08', 2];
  // In JavaScript an unknown escape is the letter itself; `\a`, `\z`, `\Q` mean something else to RE2.
  if (/[A-Za-z]/.test(letter) && (!KEPT_ESCAPES.test(letter) || (!unicode && /[pP]/.test(letter)))) return [letter, 2];
  return [`\\${letter}`, 2];
}
