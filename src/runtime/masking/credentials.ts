import { withoutAssigned } from './assignments.js';
import { withoutCommandPasswords } from './commands.js';
import { withoutFlagValues } from './flags.js';
import { HIDDEN } from './hidden.js';
import { withoutPatchValues } from './patch-values.js';
import { holdsSecret } from './secret-names.js';

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
 * The password of an address, to its last `@`: people write `@` and `/` in one as they are. Digits and what may follow a port are a port. A quote that a text of JSON
 * could end with ends it. No two matches overlap, as each ends before the next `://`.
 */
const PASSWORD_OF_ADDRESS = /(:\/\/[^\s/:"[\]]{0,200}:)(?!\d{1,5}[/?#"])(?:(?!:\/\/)[^\s"<>]|"(?![,:}\]\s]|$))+@/g;

/** Each is bounded where it could look at a character again. */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, HIDDEN],
  [/\b(bearer|basic)\s{1,4}[\w.~+/=-]{8,}/gi, `$1 ${HIDDEN}`],
  [PASSWORD_OF_ADDRESS, `$1${HIDDEN}@`],
];

/**
 * The text with what looks like a credential masked. Its cost grows with its length, and not faster.
 *
 * @param whole - the text of which this is the beginning: it may name the kind Secret further on
 */
export function withoutCredentials(text: string, whole: string = text): string {
  let safe = text;
  for (const [pattern, replacement] of SECRET_TEXTS) safe = safe.replace(pattern, replacement);
  return withoutAssigned(
    withoutPatchValues(withoutCommandPasswords(withoutFlagValues(safe.replace(WORD, withoutToken)))),
    holdsSecret(whole),
  );
}

/** A word may be put together of several, of which one is a token: `/v1/ghp_...`, `key=AKIA...`, `-eyJ...`. */
function withoutToken(word: string): string {
  const parts = word.split(/([/=~+]|(?:^|-)(?=eyJ))/);
  return parts.map((part) => (KNOWN_TOKEN.test(part) ? HIDDEN : part)).join('');
}
