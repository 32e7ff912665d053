import { isHarmless, type Masked, maskBehind, valueAt } from './behind.js';
import { HIDDEN } from './hidden.js';
import { isAmbiguousName, isSecretMap, isSecretName, isSecretPath } from './secret-names.js';
import { linesAt } from './yaml-lines.js';

/** `name=`, `name: `, `"name":`, the form of environment variables, `name: DB_PASSWORD, value: `, and of patches, `path: /data/a, value: `. All of it is bounded. */
const HEAD = new RegExp(
  [
    // The `n` of an escaped end of a line does not belong to the name behind it.
    /(?:(?<![\w.-])(?!(?<=\\)n)|(?<=\\n))/,
    /(?:(?<entry>(?:[nN]ame|path)\\?["']?[ \t]{0,4}[:=][ \t]{0,4}(?<open>\\?["']?)(?<variable>[\w.~/-]{2,200})\k<open>(?:[\s,]|\\{1,4}n){1,80}(?:\\?["']?op\\?["']?:[ \t]?\\?["']?\w{1,10}\\?["']?(?:[\s,]|\\{1,4}n){1,80})?)\\?["']?[vV]alue|(?<name>[\w.-]{2,100}))/,
    /(?<close>\\?["']?)[ \t]{0,4}(?<sign>[=:])[ \t]{0,4}/,
  ]
    .map(({ source }) => source)
    .join(''),
  'g',
);
/** Values of fields that an API server refuses stand behind a few words. */
const REFUSED = /(?:Invalid|Unsupported|Duplicate) value: /y;
/** Words of an API server's answer: `spec.password: Required value`, `spec.password: Forbidden: is immutable`. */
const REFUSAL = /^(?:Required|Forbidden:?|Invalid|Unsupported|Duplicate|Too)$/;
const SCHEME = /^(?:bearer|basic)$/i;
/** `password: |` with nothing below it. */
const BLOCK = /^[|>][-+\d]{0,2}$/;
/** A value that is hidden already, and a list of such values, without the bracket that closes each. */
const HIDDEN_LISTS = [HIDDEN.slice(0, -1), `[${HIDDEN}`];
const QUOTE = /^\\?["']/;

interface Head {
  readonly name: string;
  /** The name stands in quotes, or is the value of a `name` itself: no sentence has that. */
  readonly isField: boolean;
  /** Each field below it is a credential. */
  readonly isMap: boolean;
  readonly sign: string;
  /** Where the key begins, to whose column lines of YAML are compared. */
  readonly keyAt: number;
}

/**
 * Masks what stands behind a name of a credential: in its line, in quotes, in a list, or in the lines below it.
 *
 * @param hasSecret - whether `data` is that of a Secret
 */
export function withoutAssigned(text: string, hasSecret: boolean): string {
  return maskBehind(text, HEAD, (found, at) => {
    const { entry, variable, name, close, sign } = found.groups as Readonly<Record<string, string | undefined>>;
    const head: Head = {
      name: variable ?? name ?? '',
      isField: variable !== undefined || close !== '',
      isMap: variable?.startsWith('/') ?? (isSecretMap(name ?? '') || (hasSecret && name === 'data')),
      sign: sign ?? '',
      keyAt: found.index + (entry ?? '').length,
    };
    const isSecret = variable?.startsWith('/') ? isSecretPath(variable) : isSecretName(head.name) || head.isMap;
    return isSecret ? valueBehind(text, at, head) : undefined;
  });
}

function valueBehind(text: string, at: number, head: Head): Masked | undefined {
  const isWord = head.sign === ':' && !head.isField && isAmbiguousName(head.name);
  if (head.sign === ':') {
    const lines = linesAt(text, at, { keyAt: head.keyAt, takesWords: !isWord, takesFields: head.isMap });
    if (lines !== undefined) return lines;
  }
  REFUSED.lastIndex = at;
  const said = REFUSED.exec(text)?.[0] ?? '';
  const start = at + said.length;
  if (head.isMap) {
    const map = valueAt(text, start, 'map');
    if (map !== undefined) return { shown: `${said}{${HIDDEN}`, end: start + map.length };
  }
  const quoted = valueAt(text, start, 'quoted');
  if (quoted !== undefined) {
    const quote = QUOTE.exec(quoted)?.[0] ?? '';
    return { shown: `${said}${quote}${HIDDEN}${quote}`, end: start + quoted.length };
  }
  // Before the value is read: it is not, if it stays.
  if (isWord) return undefined;
  const list = valueAt(text, start, 'list');
  if (list !== undefined) return HIDDEN_LISTS.includes(list) ? undefined : { shown: `${said}[${HIDDEN}`, end: start + list.length };
  return wordBehind(valueAt(text, start, 'word'), { said, start, sign: head.sign });
}

function wordBehind(
  word: string | undefined,
  { said, start, sign }: { readonly said: string; readonly start: number; readonly sign: string },
): Masked | undefined {
  if (word === undefined || SCHEME.test(word)) return undefined;
  // `tlsSecret: there`: a report about a credential. If one of these words is a credential, it is not worth hiding.
  if (sign === ':' && (isHarmless(word) || REFUSAL.test(word) || BLOCK.test(word))) return undefined;
  return { shown: `${said}${HIDDEN}`, end: start + word.length };
}
