/** Longest message that an expression may make, in bytes; the API server's limit. */
const MAX_MESSAGE_BYTES = 5 * 1024;

/** The usable part of a message that an expression made; `undefined` where the API server falls back to the fixed text. */
export function usableMessage(made: string): string | undefined {
  const text = made.trim();
  return text === '' || text.includes('\n') || new TextEncoder().encode(text).length > MAX_MESSAGE_BYTES ? undefined : text;
}
