import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TokenUsers, tokensFor } from '../../../scripts/cluster/token-users.js';
import { CertificateAuthority, type KeyPair } from '../../../src/kubernetes/certificates/index.js';
import {
  type Credentials as ServerCredentials,
  writeCredentials as writeOfServer,
} from '../../../src/testing/cluster/control-plane/index.js';

export const CONTROLLER_MANAGER = 'system:kube-controller-manager';
/** `admin` passes RBAC by its group; the controller manager has the roles that the API server makes itself. */
const OWN_USERS: TokenUsers = { admin: ['system:masters'], [CONTROLLER_MANAGER]: [] };
const PRIVATE = { mode: 0o600 };

export interface Credentials extends Omit<ServerCredentials, 'certificates'> {
  readonly tokenFile: string;
  /** Bearer tokens by user, those of {@link OWN_USERS} first. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Signs the serving certificate, and those of clients. */
  readonly authority: KeyPair;
}

/** Writes what the API server needs to know its users and itself. */
export function writeCredentials(directory: string, testUsers: TokenUsers): Credentials {
  const { tokens, file } = tokensFor({ ...OWN_USERS, ...testUsers, ...OWN_USERS });
  const tokenFile = join(directory, 'tokens.csv');
  writeFileSync(tokenFile, file, PRIVATE);
  const authority = CertificateAuthority.create({ commonName: 'keelson-test-server' });
  return { ...writeOfServer(directory, authority), tokenFile, tokens, authority: authority.toKeyPair() };
}
