import { HIDDEN } from './hidden.js';

interface Command {
  readonly names: RegExp;
  /** An option whose value is the next word. */
  readonly options?: RegExp;
  /** An option whose value is the rest of its word. */
  readonly attached?: RegExp;
  /** A word that must stand before the option. */
  readonly behind?: string;
}

/** Options of one letter that hold a password, by the programs that have them: to others `-p` is a port. From their manuals. */
const COMMANDS: readonly Command[] = [
  { names: /^curl$/, options: /^(?:-u|-U|--user|--proxy-user)$/, attached: /^-[uU]/ },
  { names: /^https?$/, options: /^(?:-a|--auth)$/, attached: /^-a/ },
  { names: /^(?:mysql|mariadb)[\w-]*$/, attached: /^-p/ },
  { names: /^sshpass$/, options: /^-p$/, attached: /^-p/ },
  { names: /^mongo[a-z]*$/, options: /^-p$/, attached: /^-p/ },
  { names: /^(?:redis|valkey)-cli$/, options: /^-a$/ },
  { names: /^ldap[a-z]+$/, options: /^-w$/, attached: /^-w/ },
  { names: /^(?:docker|podman|nerdctl|buildah|skopeo|oras|helm|az)$/, options: /^-p$/, behind: 'login' },
  { names: /^(?:zip|unzip|sqlcmd|bcp|mosquitto_(?:pub|sub))$/, options: /^-P$/, attached: /^-P/ },
  { names: /^7z[ar]?$/, attached: /^-p/ },
  { names: /^(?:smbclient|rpcclient|net)$/, options: /^-U$/, attached: /^-U/ },
  { names: /^(?:rabbitmqadmin|cqlsh)$/, options: /^-p$/ },
  { names: /^openssl$/, options: /^(?:-k|-K)$/ },
];

/** The first word of a command: those that are known, without their folder, and what is often run by one. */
const NAME =
  /(?<![\w.-])(?:curl|https?|mysql[\w-]{0,40}|mariadb[\w-]{0,40}|sshpass|mongo[a-z]{0,20}|redis-cli|valkey-cli|ldap[a-z]{1,20}|docker|podman|nerdctl|buildah|skopeo|oras|helm|az|zip|unzip|sqlcmd|bcp|mosquitto_pub|mosquitto_sub|7z[ar]?|smbclient|rpcclient|net|rabbitmqadmin|cqlsh|openssl|ssh|scp|sftp|rsync)(?=["'\\]|\s)\\?["']?/g;
/** A command is looked at so far behind its name, or to the next one. */
const LONGEST = 2_000;
/** Words of a command, of a list in JSON, and of items of YAML. */
const WORD = /\\?"(?:[^"\\]|\\[^"])*\\?"|'[^']*'|[^\s"',[\]\\]+/g;
const END_OF_COMMAND = /^(?:\|\|?|&&?)$|;$/;
/** `-passin pass:x` of openssl. */
const PASS = /(?<![\w.-])pass:(?=[^\s"',\\])[^\s"',\\]+/g;

/** Masks passwords that are given by options of one letter: `curl -u user:x`, `mysql -px`, `openssl … -passin pass:x`. */
export function withoutCommandPasswords(text: string): string {
  const masked = text.replace(PASS, `pass:${HIDDEN}`);
  const names = [...masked.matchAll(NAME)];
  if (names.length === 0) return masked;
  const parts = [masked.slice(0, names[0]?.index)];
  for (const [order, { 0: found, index }] of names.entries()) {
    const end = names[order + 1]?.index ?? masked.length;
    const start = index + found.length;
    const seen = Math.min(end, start + LONGEST);
    const command = commandOf(found.replace(/\\?["']?$/, ''));
    const shown = masked.slice(start, seen);
    parts.push(found, command === undefined ? shown : withoutOptions(command, shown), masked.slice(seen, end));
  }
  return parts.join('');
}

function withoutOptions(command: Command, text: string): string {
  const words: string[] = [];
  let isOver = false;
  return text.replace(WORD, (written: string) => {
    const { quote, word } = unquoted(written);
    const hidden = isOver ? undefined : hiddenPart(command, words, word);
    isOver ||= END_OF_COMMAND.test(written);
    // The dash of an item of YAML.
    if (word !== '-') words.push(word);
    return hidden === undefined ? written : `${quote}${hidden}${quote}`;
  });
}

function hiddenPart(command: Command, before: readonly string[], word: string): string | undefined {
  if (word === '' || (command.behind !== undefined && !before.includes(command.behind))) return undefined;
  if (command.options?.test(before.at(-1) ?? '') === true) return word.startsWith('-') ? undefined : withoutPassword(word);
  const option = word.startsWith('--') ? undefined : command.attached?.exec(word)?.[0];
  return option === undefined || option === word ? undefined : `${option}${withoutPassword(word.slice(option.length))}`;
}

/** `user:x` and `user%x` keep the name of the user. */
function withoutPassword(word: string): string {
  const user = /^[\w.@\\-]{1,100}[:%]/.exec(word)?.[0] ?? '';
  return `${user}${HIDDEN}`;
}

function unquoted(written: string): { readonly quote: string; readonly word: string } {
  const quote = /^\\?["']/.exec(written)?.[0] ?? '';
  return { quote, word: quote === '' ? written : written.slice(quote.length).replace(/\\?["']$/, '') };
}

function commandOf(name: string): Command | undefined {
  return COMMANDS.find(({ names }) => names.test(name));
}

/** Whether an item of a list of arguments holds a password of the command that the list names. */
export function isCommandPassword(items: readonly unknown[], index: number): boolean {
  const word = items[index];
  if (typeof word !== 'string') return false;
  if (/^pass:./.test(word)) return true;
  const before = items.slice(0, index).filter((item) => typeof item === 'string');
  const command = before.map((item) => commandOf(item.slice(item.lastIndexOf('/') + 1))).findLast((found) => found !== undefined);
  return command !== undefined && hiddenPart(command, before, word) !== undefined;
}
