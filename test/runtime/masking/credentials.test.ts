import { HIDDEN, withoutCredentials } from '../../../src/runtime/masking/index.js';

const some = (length: number): string => 'a1B2c3D4e5'.repeat(8).slice(0, length);

/** The shortest token of each issuer, and the characters that end it. */
const TOKENS: Readonly<Record<string, readonly string[]>> = {
  AWS: ['AKIA', 'ASIA', 'ABIA', 'ACCA', 'AROA', 'AIDA'].map((prefix) => `${prefix}IOSFODNN7EXAMPLE`),
  GitHub: [...['ghp', 'gho', 'ghu', 'ghs', 'ghr'].map((prefix) => `${prefix}_${some(20)}`), `github_pat_${some(20)}`],
  GitLab: ['pat', 'dt', 'rt', 'cbt', 'ptt', 'ft', 'imt', 'agent', 'soat'].map((kind) => `gl${kind}-${some(16)}`),
  Slack: ['a', 'b', 'p'].map((kind) => `xox${kind}-${some(11)}`),
  Stripe: ['sk_live', 'sk_test', 'rk_live', 'rk_test'].map((prefix) => `${prefix}_${some(10)}`),
  OpenAI: [`sk-${some(20)}`],
  Google: [`AIza${some(30)}`, `ya29.${some(11)}`],
  npm: [`npm_${some(30)}`],
  Vault: ['s', 'b', 'r'].map((kind) => `hv${kind}.${some(20)}`),
  DigitalOcean: ['o', 'p', 'r'].map((kind) => `do${kind}_v1_${some(40)}`),
  'Hugging Face': [`hf_${some(20)}`],
  PyPI: [`pypi-${some(20)}`],
  Docker: [`dckr_pat_${some(10)}`],
  age: [`AGE-SECRET-KEY-1${some(20).toUpperCase()}`],
  'an issuer of JSON web tokens': [`eyJ${some(8)}.${some(8)}.`, `eyJ${some(8)}.${some(8)}.signature`],
  'a private key in base64': [Buffer.from('-----BEGIN EC PRIVATE KEY-----\nMH').toString('base64')],
};

describe.each(Object.entries(TOKENS))('a token of %s', (_, tokens) => {
  test.each(tokens)('is hidden alone, at the end of a path, as a value and in the middle of a sentence: %s', (token) => {
    expect(withoutCredentials(token)).toBe(HIDDEN);
    expect(withoutCredentials(`GET /v1/${token}: refused`)).not.toContain(token);
    expect(withoutCredentials(`GET /v1/${token}: refused`)).toMatch(/^GET \/v1\/\[hidden\].*refused$/);
    expect(withoutCredentials(`the value ${token} is refused`)).toBe(`the value ${HIDDEN} is refused`);
    expect(withoutCredentials(`x=${token}`)).not.toContain(token);
  });

  test.each(tokens)('is not seen inside another word: %s', (token) => {
    expect(withoutCredentials(`x${token}`)).toBe(`x${token}`);
  });
});

test('parts of a word that are no token stay', () => {
  const token = `ghp_${some(20)}`;
  expect(withoutCredentials(`https/host/a~${token}+b`)).toBe(`https/host/a~${HIDDEN}+b`);
  expect(withoutCredentials(`name-of-a-pod-eyJ${some(8)}.${some(8)}.x`)).toBe(`name-of-a-pod-${HIDDEN}`);
});

test.each([
  ['a name of 16 letters', 'AKIAIOSFODNN7EX'],
  ['a short value', 'ghp_short'],
  ['a certificate in base64', Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB').toString('base64')],
  ['a digest', 'sha256:4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865'],
])('%s stays', (_, text) => expect(withoutCredentials(text)).toBe(text));

describe('a value behind a name', () => {
  test.each([
    ['password=hunter2', `password=${HIDDEN}`],
    ['password: hunter2', `password: ${HIDDEN}`],
    ['password\t=  hunter2 and more', `password\t=  ${HIDDEN} and more`],
    ['password=hunter2&user=me', `password=${HIDDEN}&user=me`],
    ['password=hunter2;user=me,a', `password=${HIDDEN};user=me,a`],
    ['(password=hunter2)', `(password=${HIDDEN})`],
    ['(password=(hunter2)', `(password=${HIDDEN})`],
    ['password=hun(te}r2 and more', `password=${HIDDEN} and more`],
    ['password: ){hunter2', `password: ${HIDDEN}`],
    ['[password=hunter2]', `[password=${HIDDEN}]`],
    ['{password: hunter2}', `{password: ${HIDDEN}}`],
    ['"password":"hunter2","a":1', `"password":"${HIDDEN}","a":1`],
    [`'password': 'hunter2', 'a'`, `'password': '${HIDDEN}', 'a'`],
    ['password="two words", a', `password="${HIDDEN}", a`],
    ['password="with \\" quote", a', `password="${HIDDEN}", a`],
    ['password="never ends', `password="${HIDDEN}"`],
    [`password='never ends`, `password='${HIDDEN}'`],
    ['{\\"password\\":\\"hunter2\\",\\"a\\":1}', `{\\"password\\":\\"${HIDDEN}\\",\\"a\\":1}`],
    ['spec.password: Invalid value: "hunter2": must be longer', `spec.password: Invalid value: "${HIDDEN}": must be longer`],
    ['spec.password: Unsupported value: "hunter2"', `spec.password: Unsupported value: "${HIDDEN}"`],
    ['spec.password: Duplicate value: "hunter2"', `spec.password: Duplicate value: "${HIDDEN}"`],
    ['token="expired"', `token="${HIDDEN}"`],
    ['token=expired', `token=${HIDDEN}`],
    ['"token": abc', `"token": ${HIDDEN}`],
    ['dbToken: abc', `dbToken: ${HIDDEN}`],
    ['password=[hunter2', `password=[${HIDDEN}`],
    ['password: [hunter2', `password: [${HIDDEN}`],
    ['password=["hunter2', `password=[${HIDDEN}`],
    ['password="[hunter2", a', `password="${HIDDEN}", a`],
    [`password="hun'ter2", a`, `password="${HIDDEN}", a`],
    [`password='hun"ter2', a`, `password='${HIDDEN}', a`],
    ['password=hunter2[0]', `password=${HIDDEN}[0]`],
    ['password=hun[ter2 and more', `password=${HIDDEN} and more`],
    ['password=[[hunter2', `password=[${HIDDEN}`],
    ['password=[[hunter2], [a]] and more', `password=[${HIDDEN}] and more`],
    ['{"passwords":[["hunter2"],["a"]],"b":[1]}', `{"passwords":[${HIDDEN}],"b":[1]}`],
    ['password=hun"ter2 and more', `password=${HIDDEN} and more`],
    [`password=hun'ter2 and more`, `password=${HIDDEN} and more`],
    ['"password=hunter2", a', `"password=${HIDDEN}", a`],
    [`'password=hunter2' a`, `'password=${HIDDEN}' a`],
    ['authorization: bearerhunter2 a', `authorization: ${HIDDEN} a`],
    ['authorization=Basic-hunter2', `authorization=${HIDDEN}`],
    ['password=hunter2bearer', `password=${HIDDEN}`],
    ['password="bearer hunter2"', `password="${HIDDEN}"`],
  ])('%s', (text, masked) => expect(withoutCredentials(text)).toBe(masked));

  test.each([
    'user=me',
    'token: expired',
    'Session: closed by peer',
    'password: none, passphrase: unset!',
    'kubeconfig: found.',
    'spec.password: Required value',
    'spec.password: Forbidden: not here',
    'spec.password: Too long: may not be more than 8 bytes',
    'x.y-password-note=5',
  ])('stays where the name or the words are harmless: %s', (text) => expect(withoutCredentials(text)).toBe(text));

  test.each(
    [
      'none there missing absent present found unset empty unknown expired unchanged rotated',
      'ready pending valid invalid yes no true false null undefined',
    ].flatMap((line) => line.split(' ')),
  )('the state %s is a report after a colon, and a value elsewhere', (word) => {
    for (const end of ['', '.', '!', '?']) expect(withoutCredentials(`dbPassword: ${word}${end}`)).toBe(`dbPassword: ${word}${end}`);
    expect(withoutCredentials(`dbPassword=${word}`)).toBe(`dbPassword=${HIDDEN}`);
    expect(withoutCredentials(`dbPassword: x${word}`)).toBe(`dbPassword: ${HIDDEN}`);
    expect(withoutCredentials(`dbPassword: ${word}x`)).toBe(`dbPassword: ${HIDDEN}`);
    expect(withoutCredentials(`dbPassword: ${word}..`)).toBe(`dbPassword: ${HIDDEN}`);
  });

  test('the words of an API server are harmless whole, not as the beginning of a value', () => {
    for (const word of ['Required', 'Forbidden', 'Invalid', 'Unsupported', 'Duplicate', 'Too']) {
      expect(withoutCredentials(`dbPassword: ${word} value`)).toBe(`dbPassword: ${word} value`);
      expect(withoutCredentials(`dbPassword: ${word}1`)).toBe(`dbPassword: ${HIDDEN}`);
      expect(withoutCredentials(`dbPassword: 1${word}`)).toBe(`dbPassword: ${HIDDEN}`);
      expect(withoutCredentials(`dbPassword=${word}`)).toBe(`dbPassword=${HIDDEN}`);
    }
  });

  test('is not masked a second time', () => {
    const once = withoutCredentials('password=hunter2 token="a b" secret=[a] passwords: ["b"]');
    expect(withoutCredentials(once)).toBe(once);
  });
});

describe('schemes, addresses and blocks', () => {
  test.each([
    ['Authorization: Bearer abcdefgh', `Authorization: Bearer ${HIDDEN}`],
    ['sent bearer  abcdefgh.ijk', `sent bearer ${HIDDEN}`],
    ['sent BASIC dXNlcjpwYXNz', `sent BASIC ${HIDDEN}`],
    ['postgres://me:hunter2@db/x', `postgres://me:${HIDDEN}@db/x`],
    ['redis://:hunter2@db/x', `redis://:${HIDDEN}@db/x`],
    ['a-----BEGIN RSA PRIVATE KEY-----\nMHcC\n-----END RSA PRIVATE KEY-----b', `a${HIDDEN}b`],
    ['a-----BEGIN PRIVATE KEY-----\nMHcC', `a${HIDDEN}`],
    ['https://host:8443/path@x', 'https://host:8443/path@x'],
    ['the bearer of news', 'the bearer of news'],
    ['a forbearer abcdefgh', 'a forbearer abcdefgh'],
    ['-----BEGIN PUBLIC KEY-----\nMHcC\n-----END PUBLIC KEY-----', '-----BEGIN PUBLIC KEY-----\nMHcC\n-----END PUBLIC KEY-----'],
  ])('%s', (text, masked) => expect(withoutCredentials(text)).toBe(masked));

  test('every block and every address of a text is masked, and what stands between stays', () => {
    const key = '-----BEGIN PRIVATE KEY-----\nMHcC\n-----END PRIVATE KEY-----';
    expect(withoutCredentials(`${key} and ${key}; a://b:c@d e://f:g@h`)).toBe(
      `${HIDDEN} and ${HIDDEN}; a://b:${HIDDEN}@d e://f:${HIDDEN}@h`,
    );
  });
});
