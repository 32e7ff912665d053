export const HIDDEN = '[hidden]';

/** Credentials inside of texts: authorization headers, JSON web tokens, private keys, passwords in URLs. */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${HIDDEN}`],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, HIDDEN],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, HIDDEN],
  [/(:\/\/[^\s/:@]*:)[^\s/@]+@/g, `$1${HIDDEN}@`],
];

/** The text with what looks like a credential masked. Its cost grows with its length: cut it before. */
export function withoutCredentials(text: string): string {
  let safe = text;
  for (const [pattern, replacement] of SECRET_TEXTS) safe = safe.replace(pattern, replacement);
  return safe;
}
