/** A server's note to a person: a deprecated API, an unknown field, a webhook's remark. */
export interface ServerWarning {
  readonly text: string;
  /** The request that was answered, for example `POST /api/v1/namespaces/a/pods`. */
  readonly request: string;
}

/**
 * Texts of the `Warning` headers, in order.
 *
 * From the raw headers: Node joins repeated headers by a comma, and a warning's text may contain one. Source of the form: RFC 7234 §5.5; code 299 alone is
 * used by the API server.
 */
export function warningTexts(rawHeaders: readonly string[]): string[] {
  const texts: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'warning') continue;
    const value = rawHeaders[index + 1] ?? '';
    // One header line may carry several warnings, each followed by an optional date.
    for (const [, quoted = ''] of value.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)) texts.push(quoted.replace(/\\(.)/g, '$1'));
  }
  return texts;
}

/** How many texts are remembered: a webhook may put an object's name into each. */
const REMEMBERED = 1_000;

/** Lets each text through once, so that a list every few seconds does not fill the log with one deprecation. */
export class WarningFilter {
  readonly #seen = new Set<string>();

  isNew(text: string): boolean {
    if (this.#seen.has(text)) return false;
    if (this.#seen.size >= REMEMBERED) this.#seen.delete(this.#seen.values().next().value as string);
    this.#seen.add(text);
    return true;
  }
}
