import { posix } from 'node:path';

/** All others are escaped in a path. Source: Go 1.24 `net/url`, shouldEscape (encodePath). */
const ESCAPED = /[^\w\-.~$&+,/:;=@]/g;

/**
 * The path at which the API server calls a webhook: joined and cleaned, without a slash at its end, `%2F` a slash like others.
 *
 * Source: client-go `rest/url_utils.go` (DefaultVersionedAPIPath) and `rest/request.go` (URL), which keep the decoded path alone.
 *
 * @param path as a URL has it, with escapes
 */
export function webhookPath(path: string): string {
  // Bytes as characters: an escape need not be part of a whole character.
  const decoded = path.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const cleaned = posix.join('/', decoded).replace(/(?<=.)\/$/, '');
  return cleaned.replace(ESCAPED, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}
