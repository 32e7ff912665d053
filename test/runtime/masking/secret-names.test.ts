import { isSecretName as ofTheDoor } from '../../../src/runtime/masking/index.js';
import { isAmbiguousName, isSecretName } from '../../../src/runtime/masking/secret-names.js';

const CREDENTIALS = [
  'password passwords passwd passphrase passcode pwd',
  'secret secrets credential credentials creds auth authorization bearer jwt token cookie',
  'session session-id sessionid csrf xsrf',
  'apikey api-key accesskey access-key access-key-id secretkey secret-key secret-access-key',
  'privatekey private-key signing-key encryption-key master-key account-key shared-key ssh-key client-key key-data',
  'connectionstring connection-string kubeconfig dockerconfigjson dockercfg string-data',
].flatMap((line) => line.split(' '));

const upper = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The styles in which people write the name of a field, a header or a variable. */
const STYLES: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.map((word, index) => (index === 0 ? word : upper(word))).join(''),
  (words) => words.map(upper).join(''),
  (words) => words.join('_'),
  (words) => words.join('-'),
  (words) => words.join('.'),
  (words) => words.join(' '),
  (words) => words.join('_').toUpperCase(),
  (words) => words.map(upper).join('-'),
];

test.each(CREDENTIALS)('no style hides that %s names a credential, alone or behind another word', (name) => {
  const words = name.split('-');
  for (const style of STYLES) {
    expect([style(words), isSecretName(style(words))]).toEqual([style(words), true]);
    expect([style(['db', ...words]), isSecretName(style(['db', ...words]))]).toEqual([style(['db', ...words]), true]);
  }
});

test.each(CREDENTIALS)('what comes after %s decides: a name that ends otherwise stays', (name) => {
  for (const style of STYLES) expect(isSecretName(style([...name.split('-'), 'note']))).toBe(false);
});

test('an abbreviation in capitals does not swallow the word behind it', () => {
  expect(['DBPassword', 'HTTPToken', 'AWSAccessKeyID', 'myJWT', 'S3Secret'].map(isSecretName)).toEqual([true, true, true, true, true]);
});

test('password and key words show also where nothing parts them from the rest, and others do not', () => {
  for (const word of ['password', 'passwd', 'passphrase', 'apikey', 'secretkey', 'accesskey', 'privatekey']) {
    expect([word, isSecretName(`pg${word}`)]).toEqual([word, true]);
    expect([word, isSecretName(`PG${word.toUpperCase()}`)]).toEqual([word, true]);
    expect([word, isSecretName(`${word}s0`)]).toEqual([word, false]);
  }
  expect(['oauth', 'mytoken', 'forsecret'].map(isSecretName)).toEqual([false, false, false]);
});

test.each([
  'tls.key',
  'store.p12',
  'cert.pfx',
  'a.jks',
  'a.keystore',
  'a.kdbx',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ed25519',
  'ca-key.pem',
  'TLS.KEY',
])('the file %s of a Secret is a key', (file) => expect(isSecretName(file)).toBe(true));

test.each([
  'tls.crt',
  'ca.pem',
  'tls.key.txt',
  'id_rsa.pub',
  'my_id_rsa2',
  'valid_rsa',
  'p12',
  'key',
  'keyboard.keys',
  'ca-key.pem.bak',
  'ca-keyXpem',
  'tlsxkey',
])('%s is no file of a key', (file) => expect(isSecretName(file)).toBe(false));

test('a name of any length is judged by its end, in bounded time', () => {
  expect(isSecretName(`${'x-'.repeat(100_000)}token`)).toBe(true);
  expect(isSecretName(`token${'-x'.repeat(100_000)}`)).toBe(false);
});

test('names that begin sentences are ambiguous in any case, whole words alone', () => {
  for (const name of ['secret', 'secrets', 'token', 'auth', 'session', 'credential', 'credentials', 'Token', 'AUTH'])
    expect([name, isAmbiguousName(name)]).toEqual([name, true]);
  for (const name of ['password', 'dbSecret', 'tokens', 'x-token', '']) expect([name, isAmbiguousName(name)]).toEqual([name, false]);
});

test('the door leads to the same judge', () => expect(ofTheDoor).toBe(isSecretName));
