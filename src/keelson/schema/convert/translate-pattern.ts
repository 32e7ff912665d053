import { addedVariants, type UnitRange } from './case-variants.js';

/** A part of a regular expression that RE2 cannot match as JavaScript does; the message says what to write instead. */
export class PatternProblem extends Error {}

export interface Dialect {
  readonly unicode: boolean;
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
}

/** JavaScript's white space: RE2's `\s`, the vertical tab, all separators of Unicode and the byte order mark. */
const SPACE = '\\s\\v\\pZ\\x{feff}';
/** All but {@link SPACE}: a class of RE2 holds no negated class. */
const NO_SPACE =
  '\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';
/** `.` without the flag `s`: RE2's own takes all line ends but `\n`. */
const NO_LINE_END = '[^\\n\\r\\x{2028}\\x{2029}]';

/** A character or a set of them, as RE2 writes it. */
interface Atom {
  readonly text: string;
  readonly length: number;
  /** The code of a single character; `undefined` for a set such as `\d`. */
  readonly code?: number;
}

/** The same regular expression in RE2's syntax. Throws {@link PatternProblem}. */
export function translatePattern(source: string, dialect: Dialect): string {
  let result = '';
  for (let index = 0; index < source.length; ) {
    const rest = source.slice(index);
    if (rest.startsWith('[')) {
      const [text, length] = translateClass(rest, dialect);
      result += text;
      index += length;
    } else if (rest.startsWith('(?')) {
      const [text, length] = groupStart(rest);
      result += text;
      index += length;
    } else {
      const atom = atomOf(rest, dialect);
      result += outsideClass(rest, atom, dialect);
      index += atom.length;
    }
  }
  return result;
}

function groupStart(rest: string): readonly [string, number] {
  if (/^\(\?<[\p{L}_$]/u.test(rest)) return ['(?P<', 3];
  if (/^\(\?[ims-]+:/.test(rest))
    throw new PatternProblem('flags inside of a pattern mean something else to RE2; write flags behind the pattern');
  return [rest.slice(0, 2), 2];
}

function outsideClass(rest: string, atom: Atom, dialect: Dialect): string {
  if (rest.startsWith('.')) return dialect.dotAll ? '.' : NO_LINE_END;
  if (rest.startsWith('\\s')) return `[${SPACE}]`;
  if (rest.startsWith('\\S')) return `[^${SPACE}]`;
  if (/^\\[bB]/.test(rest) && dialect.unicode && dialect.ignoreCase)
    throw new PatternProblem('\\b beside the flags i and u knows letters that RE2 does not; leave one of the flags out');
  const variants = variantTexts(atom, atom, dialect);
  return variants === '' ? atom.text : `[${atom.text}${variants}]`;
}

function translateClass(source: string, dialect: Dialect): readonly [string, number] {
  const negated = source.startsWith('[^');
  let index = negated ? 2 : 1;
  const atoms: Atom[] = [];
  while (index < source.length && source[index] !== ']') {
    const atom = atomInClass(source.slice(index), dialect);
    atoms.push(atom);
    index += atom.length;
  }
  const length = index + 1;
  if (atoms.length === 0) return [negated ? '[\\x00-\\x{10FFFF}]' : '[]', length];
  return [`[${negated ? '^' : ''}${classBody(atoms, dialect)}]`, length];
}

/** `[\s\S]` and its like: everything, in both dialects. */
const OPPOSITES = [
  ['\\s', '\\S'],
  ['\\d', '\\D'],
  ['\\w', '\\W'],
] as const;

function classBody(atoms: readonly Atom[], dialect: Dialect): string {
  const sets = new Set(atoms.map(({ text }) => text));
  const opposites = OPPOSITES.find((pair) => pair.every((set) => sets.has(set)));
  if (opposites !== undefined) return opposites.join('');
  let body = '';
  for (let index = 0; index < atoms.length; index += 1) {
    const [first, dash, last] = atoms.slice(index, index + 3) as [Atom, Atom?, Atom?];
    const isRange = dash?.text === '-' && last !== undefined && first.code !== undefined && last.code !== undefined;
    if (isRange) {
      body += `${first.text}-${last.text}${variantTexts(first, last, dialect)}`;
      index += 2;
    } else {
      // A dash beside a set is a letter in JavaScript; RE2 wants it escaped, but for the ends of the class.
      const isInner = first.text === '-' && index > 0 && index < atoms.length - 1;
      body += isInner ? '\\-' : `${setText(first.text)}${variantTexts(first, first, dialect)}`;
    }
  }
  return body;
}

function setText(text: string): string {
  if (text === '\\s') return SPACE;
  return text === '\\S' ? NO_SPACE : text;
}

/** Without the flag `u` JavaScript folds case by rules of its own: the variants are written out. With it both fold as Unicode says, by `(?i)`. */
function variantTexts(from: Atom, to: Atom, { ignoreCase, unicode }: Dialect): string {
  if (!ignoreCase || unicode || from.code === undefined || to.code === undefined) return '';
  return addedVariants({ first: from.code, last: to.code }).map(rangeText).join('');
}

function rangeText({ first, last }: UnitRange): string {
  if (first === last) return codeText(first);
  return `${codeText(first)}${last === first + 1 ? '' : '-'}${codeText(last)}`;
}

function codeText(code: number): string {
  const letter = String.fromCharCode(code);
  return /[\p{L}\p{N}]/u.test(letter) ? letter : `\\x{${code.toString(16)}}`;
}

/** RE2 reads `[[:` as a POSIX class. */
function atomInClass(rest: string, dialect: Dialect): Atom {
  if (rest.startsWith('[')) return { text: '\\[', length: 1, code: 0x5b };
  if (rest.startsWith('\\b')) return { text: '\\x08', length: 2, code: 8 };
  return atomOf(rest, dialect);
}

function atomOf(rest: string, dialect: Dialect): Atom {
  if (rest.startsWith('\\')) return escapeOf(rest, dialect);
  const code = rest.codePointAt(0) ?? 0;
  const letter = String.fromCodePoint(code);
  if (code > 0xffff && !dialect.unicode)
    throw new PatternProblem(`"${letter}" is two characters to a pattern without the flag u; add the flag`);
  return { text: letter, length: letter.length, code };
}

/** Letters that mean the same behind a backslash in both dialects. */
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };
const KEPT_SETS = /[dDwWsSbBpP]/;

function escapeOf(rest: string, { unicode }: Dialect): Atom {
  const point =
    (unicode ? /^\\u\{([0-9A-Fa-f]+)\}/.exec(rest) : null) ?? /^\\u([0-9A-Fa-f]{4})/.exec(rest) ?? /^\\x([0-9A-Fa-f]{2})/.exec(rest);
  if (point !== null) {
    const digits = point[1] ?? '';
    return { text: point[0].startsWith('\\x') ? point[0] : `\\x{${digits}}`, length: point[0].length, code: Number.parseInt(digits, 16) };
  }
  const control = /^\\c([A-Za-z])/.exec(rest);
  if (control !== null) {
    const code = (control[1] ?? '').charCodeAt(0) % 32;
    return { text: `\\x${code.toString(16).padStart(2, '0')}`, length: 3, code };
  }
  const script = unicode ? /^\\([pP])\{(?:Script|sc|General_Category|gc)=(\w+)\}/.exec(rest) : null;
  if (script !== null) return { text: `\\${script[1]}{${script[2]}}`, length: script[0].length };
  const property = unicode ? /^\\[pP]\{\w+\}/.exec(rest) : null;
  if (property !== null) return { text: property[0], length: property[0].length };
  return letterEscape(rest, unicode);
}

function letterEscape(rest: string, unicode: boolean): Atom {
  const letter = String.fromCodePoint(rest.codePointAt(1) ?? 0x5c);
  const length = 1 + letter.length;
  const code = letter.codePointAt(0) ?? 0;
  if (letter === '0') {
    if (/[0-9]/.test(rest[2] ?? '')) throw new PatternProblem('octal escapes mean something else to RE2; write \\x and two digits');
    return { text: '\\x00', length, code: 0 };
  }
  const control = CONTROLS[letter];
  if (control !== undefined) return { text: `\\${letter}`, length, code: control };
  if (KEPT_SETS.test(letter) && (unicode || !/[pP]/.test(letter))) return { text: `\\${letter}`, length };
  // In JavaScript an unknown escape is the letter itself; `\a`, `\z`, `\Q` mean something else to RE2, which escapes ASCII's signs alone.
  const isSign = code < 0x80 && !/[A-Za-z0-9]/.test(letter);
  return { text: isSign && letter !== '/' ? `\\${letter}` : letter, length, code };
}
