import { randomBytes } from 'node:crypto';

/** Names of users with their groups. */
export type TokenUsers = Readonly<Record<string, readonly string[]>>;

/** A bearer token for each user, and the file from which kube-apiserver knows them (`--token-auth-file`). */
export function tokensFor(users: TokenUsers): { readonly tokens: Readonly<Record<string, string>>; readonly file: string } {
  const tokens = Object.fromEntries(Object.keys(users).map((user) => [user, randomBytes(16).toString('hex')]));
  const lines = Object.entries(users).map(([user, groups]) => `${tokens[user]},${user},uid-of-${user},"${groups.join(',')}"\n`);
  return { tokens, file: lines.join('') };
}

/** The users of a kubeconfig, by their tokens. */
export function byToken(tokens: Readonly<Record<string, string>>): Readonly<Record<string, { readonly token: string }>> {
  return Object.fromEntries(Object.entries(tokens).map(([user, token]) => [user, { token }]));
}
