import type { Secret } from 'keelson/kinds';

/** The role in which a certificate is shown: by members to each other, by members to clients, or by clients, of which the operator is one. */
export type Role = 'peer' | 'server' | 'client';

export const ROLES: readonly Role[] = ['peer', 'server', 'client'];

/** PEM texts of one role. */
export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
  /** Certificates of the authorities that the holder trusts. */
  readonly authority: string;
}

/** Keys of the Secrets, as CoreOS' operator has them. */
export const FILES = {
  peer: { certificate: 'peer.crt', key: 'peer.key', authority: 'peer-ca.crt' },
  server: { certificate: 'server.crt', key: 'server.key', authority: 'server-ca.crt' },
  client: { certificate: 'etcd-client.crt', key: 'etcd-client.key', authority: 'etcd-client-ca.crt' },
} as const satisfies Readonly<Record<Role, TlsFiles>>;

/** Why certificates cannot be used, as a condition says it. */
export interface TlsProblem {
  readonly reason:
    | 'SecretMissing'
    | 'SecretTaken'
    | 'KeyMissing'
    | 'Unreadable'
    | 'KeyMismatch'
    | 'Expired'
    | 'NotYetValid'
    | 'WrongUsage'
    | 'WrongNames'
    | 'Untrusted'
    | 'AuthorityLost'
    | 'CannotIssue';
  readonly message: string;
}

/** The text of a key of a Secret; empty without one. */
export function textOf(secret: Pick<Secret, 'data'> | undefined, key: string): string {
  return Buffer.from(secret?.data?.[key] ?? '', 'base64').toString();
}

/** The files that a Secret has for a role; the problem, if a part is missing. */
export function filesOf(role: Role, name: string, secret: Pick<Secret, 'data'> | undefined): TlsFiles | TlsProblem {
  if (secret === undefined) return { reason: 'SecretMissing', message: `there is no Secret ${name} in this namespace` };
  const keys = FILES[role];
  const missing = Object.values(keys).filter((key) => textOf(secret, key) === '');
  if (missing.length > 0) return { reason: 'KeyMissing', message: `the Secret ${name} has no ${missing.join(', ')}` };
  return { certificate: textOf(secret, keys.certificate), key: textOf(secret, keys.key), authority: textOf(secret, keys.authority) };
}

export function isProblem(value: TlsFiles | TlsProblem): value is TlsProblem {
  return 'reason' in value;
}
