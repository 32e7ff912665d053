import { gunzipSync } from 'node:zlib';
import { type History, UUID } from './history.js';

/** Namespaces of runs, also as they are written in names of environment variables. */
const NAMESPACE = /(?<![A-Za-z0-9])(?:run|fresh)[-_]\d+(?![A-Za-z0-9])/gi;
/** Base64 of five bytes or more, in both alphabets: a namespace has five. */
const ENCODED = [/[A-Za-z0-9+/]{7,}={0,2}/g, /[A-Za-z0-9_-]{7,}/g] as const;
const MOST_BYTES = 4 * 1024 * 1024;
/** Base64 of JSON that has base64, as the credentials of a registry; more is not looked into. */
const MOST_DEPTH = 4;

/**
 * A text without the names that differ in each run: those of namespaces, and uids, which become the names of their objects.
 *
 * Base64 is looked into, also where it is within base64, JSON, a token or gzip. Hashes stay: nothing says what they are of.
 */
export function withoutNamesOfRun(text: string, lives: History['lives'], depth = 0): string {
  const plain = text
    .replaceAll(UUID, (uid) => `<uid of ${lives.get(uid)?.what ?? 'another'}>`)
    .replaceAll(NAMESPACE, '<namespace>')
    // Which of those with generated names is the first is another one in every run.
    .replaceAll(/<\d+>/g, '<generated>');
  if (depth === MOST_DEPTH) return plain;
  const decoded = (token: string): string => {
    const inner = decodedText(token);
    const blank = inner === undefined ? undefined : withoutNamesOfRun(inner, lives, depth + 1);
    return blank === undefined || blank === inner ? token : `<base64 of ${blank}>`;
  };
  return ENCODED.reduce((now, pattern) => now.replaceAll(pattern, decoded), plain);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The text that is encoded; `undefined` if it is not text. */
function decodedText(token: string): string | undefined {
  try {
    const bytes = Buffer.from(token, 'base64');
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return UTF8.decode(isPacked ? gunzipSync(bytes, { maxOutputLength: MOST_BYTES }) : bytes);
  } catch {
    // A word that only looks like base64.
    return undefined;
  }
}
