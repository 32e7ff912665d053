const HTML_OR_SEPARATOR = /[<>&\u2028\u2029]/g;
const HAS_HTML_OR_SEPARATOR = /[<>&\u2028\u2029]/;

/** JSON as Go writes it: fields in the value's order, no blanks, `<`, `>`, `&` and the two line separators escaped. No newline at the end. */
export function jsonText(value: unknown): string {
  return escaped(JSON.stringify(value));
}

/** `json.MarshalIndent` with two blanks. */
export function prettyJsonText(value: unknown): string {
  return escaped(JSON.stringify(value, null, 2));
}

function escaped(text: string): string {
  // These characters stand in strings only: no JSON syntax contains them.
  return HAS_HTML_OR_SEPARATOR.test(text) ? text.replace(HTML_OR_SEPARATOR, escapeOf) : text;
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
