import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TokenUsers, tokensFor } from '../../../scripts/cluster/token-users.js';
import { serviceAccountTokenKey } from '../../../src/testing/cluster/control-plane/index.js';

export const CONTROLLER_MANAGER = 'system:kube-controller-manager';
/** `admin` passes RBAC by its group; the controller manager has the roles that the API server makes itself. */
const OWN_USERS: TokenUsers = { admin: ['system:masters'], [CONTROLLER_MANAGER]: [] };
const PRIVATE = { mode: 0o600 };

export interface Credentials {
  readonly tokenFile: string;
  /** Bearer tokens by user, those of {@link OWN_USERS} first. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly serviceAccountKeyFile: string;
}

/** Writes what the API server needs to know its users. It makes its own serving certificate. */
export function writeCredentials(directory: string, testUsers: TokenUsers): Credentials {
  const { tokens, file } = tokensFor({ ...OWN_USERS, ...testUsers, ...OWN_USERS });
  const [tokenFile, serviceAccountKeyFile] = [join(directory, 'tokens.csv'), join(directory, 'service-accounts.key')];
  writeFileSync(tokenFile, file, PRIVATE);
  writeFileSync(serviceAccountKeyFile, serviceAccountTokenKey(), PRIVATE);
  return { tokenFile, tokens, serviceAccountKeyFile };
}
