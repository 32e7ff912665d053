import { isAmbiguousName, isSecretName } from './secret-names.js';

export const HIDDEN = '[hidden]';

/** Tokens that are known by how they begin; the prefixes are those that their issuers document for scanners of secrets. Each is tried at the start of a word alone. */
const KNOWN_TOKEN = new RegExp(
  [
    '(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{16}', // AWS
    'gh[pousr]_\\w{20}', // GitHub
    'github_pat_\\w{20}',
    'gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat)-[\\w-]{16}', // GitLab
    'xox[a-z]-[\\w-]{10}', // Slack
    '(?:sk|rk)_(?:live|test)_\\w{10}', // Stripe
    'sk-[\\w-]{20}', // OpenAI, Anthropic
    'AIza[\\w-]{30}', // Google
    'ya29\\.[\\w-]{10}',
    'npm_\\w{30}',
    'hv[sbr]\\.[\\w-]{20}', // Vault
    'do[opr]_v1_\\w{40}', // DigitalOcean
    'hf_\\w{20}', // Hugging Face
    'pypi-[\\w-]{20}',
    'dckr_pat_[\\w-]{10}', // Docker
    'AGE-SECRET-KEY-1\\w{20}',
    'eyJ[\\w-]{8,}\\.[\\w-]{8,}\\.', // a JSON web token
    'LS0tLS1CRUdJTi(?!BDRVJUSUZJQ0FURS)\\w{16}', // PEM in base64 that is not a certificate
  ]
    .map((pattern) => `^${pattern}`)
    .join('|'),
);
/** Longest runs of a token's characters: they do not overlap, so that each character is looked at a bounded number of times. */
const WORD = /[\w.~+/=-]{16,}/g;

/**
 * `name=value`, `name: value`, `"name":"value"`: the name is bounded, and a quoted value that does not end goes to the end of the text, so that no part is read
 * twice. Values of fields that an API server refuses stand behind a few words.
 */
const ASSIGNMENT = new RegExp(
  [
    /(?<![\w.-])([\w.-]{2,100})(\\?["']?)([ \t]{0,4})([=:])([ \t]{0,4}(?:(?:Invalid|Unsupported|Duplicate) value: )?)/.source,
    `(${[
      /\\"(?:[^"\\]|\\[^"])*(?:\\"|"|\\?$)/.source, // quoted in a text that is quoted itself
      /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/.source,
      /'[^']*(?:'|$)/.source,
      /[^\s,;&"'{}[\]()]+/.source,
    ].join('|')})`,
  ].join(''),
  'g',
);

/** States of a credential, as reports write them: the whole value, in small letters. */
const HARMLESS =
  /^(?:none|there|missing|absent|present|found|unset|empty|unknown|expired|unchanged|rotated|ready|pending|valid|invalid|yes|no|true|false|null|undefined)[.!?]?$/;

/** Each is bounded where it could look at a character again. */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, HIDDEN],
  [/\b(bearer|basic)\s{1,4}[\w.~+/=-]{8,}/gi, `$1 ${HIDDEN}`],
  [/(:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,500}@/g, `$1${HIDDEN}@`],
];

/** The text with what looks like a credential masked. Its cost grows with its length, and not faster. */
export function withoutCredentials(text: string): string {
  let safe = text;
  for (const [pattern, replacement] of SECRET_TEXTS) safe = safe.replace(pattern, replacement);
  return safe.replace(WORD, withoutToken).replace(ASSIGNMENT, withoutValue);
}

/** A word may be put together of several, of which one is a token: `/v1/ghp_...`, `key=AKIA...`, `-eyJ...`. */
function withoutToken(word: string): string {
  const parts = word.split(/([/=~+]|(?:^|-)(?=eyJ))/);
  return parts.map((part) => (KNOWN_TOKEN.test(part) ? HIDDEN : part)).join('');
}

function withoutValue(all: string, ...groups: readonly unknown[]): string {
  const [name, close, before, sign, between, value] = groups as readonly [string, string, string, string, string, string];
  if (!isSecretName(name) || value.startsWith(HIDDEN.slice(0, 1)) || /^(?:bearer|basic)$/i.test(value)) return all;
  const isQuoted = /^\\?["']/.test(value);
  if (sign === ':' && !isQuoted && close === '' && isAmbiguousName(name)) return all;
  // `tlsSecret: there`: a report about a credential. None of these words is worth hiding where it is one.
  if (sign === ':' && !isQuoted && HARMLESS.test(value)) return all;
  // Words of an API server's answer: `spec.password: Required value`, `spec.password: Forbidden: is immutable`.
  if (sign === ':' && /^(?:Required|Forbidden:?|Invalid|Unsupported|Duplicate|Too)$/.test(value)) return all;
  const quote = /^\\?["']/.exec(value)?.[0] ?? '';
  return `${name}${close}${before}${sign}${between}${quote}${HIDDEN}${quote}`;
}
