import { canonicalJson } from './same.js';

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * The hash of a template, as it stands in labels and names. Kubernetes hashes what Go prints of its types: the form is the same (up to ten letters that are
 * part of no word), the value is not.
 */
export function templateHash(template: unknown, collisionCount = 0): string {
  return safeText(String(fnv1a(canonicalJson(template) + (collisionCount === 0 ? '' : `#${collisionCount}`))));
}

/** FNV-1a, 32 bits. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/** Source: apimachinery `pkg/util/rand`, SafeEncodeString. */
function safeText(text: string): string {
  return [...Buffer.from(text)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
