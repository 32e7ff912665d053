/** What is to be said in place of the part of a text that ends at `end`. */
export interface Masked {
  readonly shown: string;
  readonly end: number;
}

/**
 * Replaces values that stand behind a head: `judge` says where the value ends that begins at `at`, or that there is none.
 *
 * Where there is none, the search goes on behind the head, so that a value is looked into: `message="password=x"`. It takes time by the length of the text if the
 * head is bounded, and if `judge` reads no more than what it gives back.
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

const VALUE = {
  quoted: new RegExp(QUOTED, 'y'),
  list: new RegExp(`\\[(?:${QUOTED}|[^"'[\\]{}\\r\\n])+`, 'y'),
  map: new RegExp(`\\{(?:${QUOTED}|[^"'{}])+`, 'y'),
  word: /[^\s,;&"'{}[\]()]+/y,
  // A word of a command line: only blanks and quotes end it.
  argument: /(?:[^\s"'\\-]|\\[^"'n])(?:[^\s"'\\]|\\[^"'n])*/y,
} as const;

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
