/**
 * Words that make a name that of a credential, each as it ends a name of any style: `dbPassword`, `DB_PASSWORD`, `x-db-password`.
 *
 * The list is that of Sentry's scrubbers (docs.sentry.io, "Server-Side Data Scrubbing" and the Python SDK's `DEFAULT_DENYLIST`, 2026-11), less what hides no
 * credential (addresses of clients), with names of Kubernetes and of cloud providers. See docs/decisions.
 */
const SECRET_WORDS: readonly string[] = [
  'password',
  'passwords',
  'passwd',
  'passphrase',
  'passcode',
  'pwd',
  'secret',
  'secrets',
  'credential',
  'credentials',
  'creds',
  'auth',
  'authorization',
  'bearer',
  'jwt',
  'token',
  'cookie',
  'session',
  'session id',
  'sessionid',
  'connect.sid',
  'csrf',
  'xsrf',
  'apikey',
  'api key',
  'access key',
  'access key id',
  'accesskey',
  'secret key',
  'secretkey',
  'secret access key',
  'private key',
  'privatekey',
  'signing key',
  'encryption key',
  'master key',
  'account key',
  'shared key',
  'ssh key',
  'client key',
  'key data',
  'connection string',
  'connectionstring',
  'kubeconfig',
  'dockerconfigjson',
  'dockercfg',
  'string data',
];

/** Files that hold a private key or a store of them: keys of a Secret's `data`. */
const SECRET_FILE = /\.(?:key|p12|pfx|jks|keystore|kdbx)$|^id_(?:rsa|dsa|ecdsa|ed25519)$|-key\.pem$/;

/** Words that end a name also where nothing parts them from the rest: `PGPASSWORD`. */
const SECRET_ENDING = /(?:password|passwd|passphrase|apikey|secretkey|accesskey|privatekey)$/;

const WORDS: ReadonlySet<string> = new Set(SECRET_WORDS);
const MOST_WORDS = 3;
/** No field has so long a name; longer ones are cut before they are taken apart. */
const LONGEST = 200;

/** Whether a field, header or variable of this name holds a credential. */
export function isSecretName(name: string): boolean {
  const end = name.slice(-LONGEST);
  const lower = end.toLowerCase();
  if (SECRET_FILE.test(lower) || SECRET_ENDING.test(lower)) return true;
  const words = end
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
  for (let count = 1; count <= MOST_WORDS; count += 1) if (WORDS.has(words.slice(-count).join(' '))) return true;
  return false;
}

/** Names that stand before a sentence as often as before a credential: `token: expired`. After a colon only what is quoted is one. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['secret', 'secrets', 'token', 'auth', 'session', 'credential', 'credentials']);

export function isAmbiguousName(name: string): boolean {
  return AMBIGUOUS.has(name.toLowerCase());
}

/** Whether each field below this name is a credential, whatever it is called. */
export function isSecretMap(name: string): boolean {
  return name === 'stringData';
}

/** Whether a value at this path of a JSON Patch is a credential. All data counts: an operation does not say whether its object is a Secret. */
export function isSecretPath(path: string): boolean {
  return /^\/(?:data|stringData)(?:\/|$)/.test(path) || isSecretName(path);
}

/**
 * Whether the `value` of this object is a credential: `{ name: 'DB_PASSWORD', value: 'x' }`, as variables and headers are written, or
 * `{ op: 'add', path: '/data/password', value: 'x' }`.
 */
export function isSecretEntry({ name, path }: Readonly<Record<string, unknown>>): boolean {
  return (typeof name === 'string' && isSecretName(name)) || (typeof path === 'string' && isSecretPath(path));
}

/** Whether a text has a Secret in it, as JSON or YAML: its data are credentials, whatever their keys are. */
export function holdsSecret(text: string): boolean {
  return /(?:(?<!\w)|(?<=\\n))kind\\{0,8}["']?[ \t]{0,4}:[ \t]{0,4}\\{0,8}["']?Secret(?:List)?(?!\w)/.test(text);
}
