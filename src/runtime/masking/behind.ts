/** The end of a value in a text, and the words that replace it. */
export interface Masked {
  readonly shown: string;
  readonly end: number;
}

/**
 * Replaces values behind a head, such as `password=`. `judge` says where the value ends, if it is a credential.
 *
 * Else it searches on behind the head, and so finds the password in `message="password=x"`.
 * Guarantees: time grows with the length of the text, and not faster.
 * Assumptions: the head is bounded; `judge` reads only the value that it replaces.
 */
export function maskBehind(text: string, head: RegExp, judge: (found: RegExpExecArray, at: number) => Masked | undefined): string {
  const parts: string[] = [];
  let from = 0;
  head.lastIndex = 0;
  for (let found = head.exec(text); found !== null; found = head.exec(text)) {
    const at = head.lastIndex;
    const masked = judge(found, at);
    if (masked === undefined) continue;
    parts.push(text.slice(from, at), masked.shown);
    from = masked.end;
    head.lastIndex = from;
  }
  return from === 0 ? text : parts.join('') + text.slice(from);
}

/** A text in quotes. One that does not end goes to the end of the text, so that no part is read twice. */
const QUOTED = [
  /\\"(?:[^"\\]|\\[^"])*(?:\\"|"|\\?$)/.source, // in a text that is quoted itself
  /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/.source,
  /'[^']*(?:'|$)/.source,
].join('|');

const VALUE: Readonly<Record<'quoted' | 'list' | 'map' | 'word' | 'argument', RegExp>> = {
  quoted: new RegExp(QUOTED, 'y'),
  // With the lists in it.
  list: new RegExp(`\\[(?:${QUOTED}|[^"'[\\]{}\\r\\n]|\\[(?:${QUOTED}|[^"'[\\]{}\\r\\n])*\\]?)+`, 'y'),
  map: new RegExp(`\\{(?:${QUOTED}|[^"'{}])+`, 'y'),
  // Quotes, parentheses, brackets and braces belong to it where more of it follows. Those of the text around it close behind it, and `[0]` counts.
  word: /(?:[^\s,;&"'{}[\]()]|[{}()]+(?=[^\s,;&"'{}[\]()])|["'](?=\w)|\[(?!\d*\])(?=[^\s,;&"'{}[\]()]))+/y,
  // A word of a command line: only blanks and quotes end it.
  argument: /(?:[^\s"'\\-]|\\[^"'n])(?:[^\s"'\\]|\\[^"'n])*/y,
};

/** The value of a form that begins at `at`. */
export function valueAt(text: string, at: number, form: keyof typeof VALUE): string | undefined {
  const pattern = VALUE[form];
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** States of a credential, as reports write them: the whole value, in small letters. */
const HARMLESS =
  /^(?:none|there|missing|absent|present|found|unset|empty|unknown|expired|unchanged|rotated|ready|pending|valid|invalid|yes|no|true|false|null|undefined)[.!?]?$/;

export function isHarmless(value: string): boolean {
  return HARMLESS.test(value);
}
