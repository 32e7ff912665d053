/** Writing CEL: literals, and what an expression mentions. */

/** A literal in CEL: JSON's strings, numbers and booleans are CEL's too. */
export function celLiteral(value: string | number | boolean): string {
  return JSON.stringify(value);
}

/** Whether an expression mentions `oldSelf` outside of strings. */
export function mentionsOldSelf(expression: string): boolean {
  return /\boldSelf\b/.test(expression.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""'));
}
