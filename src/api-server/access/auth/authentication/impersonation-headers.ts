import { goQuote } from '@keelson/kubernetes/apimachinery';
import { badRequest } from '../../../status/index.js';
import type { UserInfo } from '../user-info.js';

const EXTRA_HEADER = 'impersonate-extra-';

/** The user that a request asks to be taken for. As {@link UserInfo}, with nothing left out. */
export interface ImpersonatedUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/**
 * The user that the headers `Impersonate-User`, `-Group`, `-Uid` and `-Extra-*` ask for; `undefined` if they ask for none.
 *
 * @param headers names and values as they were sent, in order, a repeated header several times; values as Node gives them, one character per byte
 * @throws StatusError 400 for groups, a uid or extra values without a user
 */
export function wantedUser(headers: Iterable<readonly [string, string]>): ImpersonatedUser | undefined {
  const groups: string[] = [];
  const extra = new Map<string, string[]>();
  let username = '';
  let uid = '';
  for (const [header, value] of headers) {
    const lower = header.toLowerCase();
    const text = Buffer.from(value, 'latin1').toString('utf8');
    // The first value of a header that counts once.
    if (lower === 'impersonate-user') username ||= text;
    else if (lower === 'impersonate-uid') uid ||= text;
    else if (lower === 'impersonate-group') groups.push(text);
    else if (lower.startsWith(EXTRA_HEADER)) {
      const key = unescaped(lower.slice(EXTRA_HEADER.length));
      extra.set(key, [...(extra.get(key) ?? []), text]);
    }
  }
  const wanted = { username, uid, groups, extra };
  if (username !== '') return wanted;
  if (uid === '' && groups.length === 0 && extra.size === 0) return undefined;
  throw badRequest(`requested ${goText(wanted)} without impersonating a user name`);
}

/** A badly escaped text stands for itself. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch (error) {
    if (error instanceof URIError) return key;
    throw error;
  }
}

/** Go's `%#v` of a `user.DefaultInfo`. */
function goText({ username, uid, groups, extra }: ImpersonatedUser): string {
  const strings = (texts: readonly string[]): string => `{${texts.map(goQuote).join(', ')}}`;
  const entries = [...extra].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, values]) => `${goQuote(key)}:[]string${strings(values)}`);
  const groupsText = groups.length === 0 ? '[]string(nil)' : `[]string${strings(groups)}`;
  const extraText = entries.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`;
  return `&user.DefaultInfo{Name:${goQuote(username)}, UID:${goQuote(uid)}, Groups:${groupsText}, Extra:${extraText}}`;
}
