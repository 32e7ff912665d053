import { isHarmless, maskBehind, valueAt } from './behind.js';
import { isCommandPassword } from './commands.js';
import { HIDDEN } from './hidden.js';
import { isSecretName } from './secret-names.js';

const NAME = /--?(?<name>[a-zA-Z][\w.-]{0,100}\w)/.source;
/** A flag and its value: two words of a command, two texts of a list in JSON, two items of a list in YAML. */
const HEAD = new RegExp(
  `(?<![\\w-])${NAME}(?:${[/[ \t]{1,4}/.source, /\\?["'][ \t]{0,4},?\s{0,40}(?=\\?["'])/.source, /["']?[ \t]{0,4}\r?\n[ \t]{0,40}-[ \t]{1,4}/.source].join('|')})`,
  'g',
);
const FLAG = new RegExp(`^${NAME}$`);

/** Words that follow the name of a flag in a sentence, and a value in a description of a command. */
const OF_A_SENTENCE = new RegExp(
  `^(?:${[
    '<[\\w -]*>?',
    'an?|the|this|that|which|and|or|nor|but|to|of|in|on|at|as|if|is|it|its|by|be|for|from|with|without|when|while|where|instead|than|then|so',
    'are|was|were|has|have|had|may|can|cannot|must|should|will|would|does|do|did|not|needs?|takes?|wants?|expects?|requires?|says?|names?|holds?|means?',
    'flags?|options?|arguments?|values?|parameters?|given|set|used|again|twice|only|also|both|either',
  ].join('|')})[.,;:!?)]*$`,
);

/** Masks the values of flags that name a credential: `--password x`. Those with `=` are assignments. */
export function withoutFlagValues(text: string): string {
  return maskBehind(text, HEAD, (found, at) => {
    if (!isSecretName(found.groups?.['name'] ?? '')) return undefined;
    const quoted = valueAt(text, at, 'quoted');
    if (quoted !== undefined) {
      const quote = /^\\?["']/.exec(quoted)?.[0] ?? '';
      if (/^-/.test(quoted.slice(quote.length))) return undefined;
      return { shown: `${quote}${HIDDEN}${quote}`, end: at + quoted.length };
    }
    const word = valueAt(text, at, 'argument');
    if (word === undefined || isHarmless(word) || OF_A_SENTENCE.test(word)) return undefined;
    return { shown: HIDDEN, end: at + word.length };
  });
}

/** Whether an item of a list of arguments is a credential: `['--password', 'x']`, `['curl', '-u', 'a:x']`. */
export function isSecretArgument(items: readonly unknown[], index: number): boolean {
  const [flag, item] = [items[index - 1], items[index]];
  if (isCommandPassword(items, index)) return true;
  return (
    typeof flag === 'string' && isSecretName(FLAG.exec(flag)?.groups?.['name'] ?? '') && !(typeof item === 'string' && FLAG.test(item))
  );
}
