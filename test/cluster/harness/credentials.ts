import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Users of the token file with their groups. `admin` passes RBAC by its group; the controller manager has the roles that the API server makes itself. */
const OWN_USERS: Readonly<Record<string, readonly string[]>> = {
  admin: ['system:masters'],
  'system:kube-controller-manager': [],
};

export interface Credentials {
  readonly tokenFile: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
}

/** Writes what the API server needs to know its users. It makes its own serving certificate. */
export function writeCredentials(directory: string, testUsers: Readonly<Record<string, readonly string[]>>): Credentials {
  const users = { ...testUsers, ...OWN_USERS };
  const tokens = Object.fromEntries(Object.keys(users).map((user) => [user, randomBytes(16).toString('hex')]));
  const tokenFile = join(directory, 'tokens.csv');
  const lines = Object.entries(users).map(([user, groups]) => `${tokens[user]},${user},uid-of-${user},"${groups.join(',')}"\n`);
  writeFileSync(tokenFile, lines.join(''), { mode: 0o600 });
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [serviceAccountKey, serviceAccountPublicKey] = [join(directory, 'service-accounts.key'), join(directory, 'service-accounts.pub')];
  writeFileSync(serviceAccountKey, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  writeFileSync(serviceAccountPublicKey, publicKey.export({ type: 'spki', format: 'pem' }));
  return { tokenFile, tokens, serviceAccountKey, serviceAccountPublicKey };
}

/** One context per user, named after the user. JSON is YAML: no serializer is needed. */
export function writeKubeconfig(path: string, cluster: { url: string; caFile: string }, tokens: Readonly<Record<string, string>>): void {
  const users = Object.entries(tokens);
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: cluster.url, 'certificate-authority': cluster.caFile } }],
    users: users.map(([name, token]) => ({ name, user: { token } })),
    contexts: users.map(([name]) => ({ name, context: { cluster: 'test', user: name } })),
    'current-context': 'admin' in tokens ? 'admin' : users[0]?.[0],
  };
  writeFileSync(path, JSON.stringify(kubeconfig, undefined, 2), { mode: 0o600 });
}
