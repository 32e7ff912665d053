/**
 * Writing CEL: names of properties and literals.
 *
 * Source of the escapes: apiserver, `pkg/cel/escaping.go`.
 */

const RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

/** The name of a property as an expression must write it; `undefined` for a name that CEL cannot reach. */
export function escapedName(property: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(property)) return undefined;
  if (RESERVED.has(property)) return `__${property}__`;
  return property.replaceAll('__', '__underscores__').replaceAll('.', '__dot__').replaceAll('-', '__dash__').replaceAll('/', '__slash__');
}

/** A literal in CEL: JSON's strings, numbers and booleans are CEL's too. */
export function celLiteral(value: string | number | boolean): string {
  return JSON.stringify(value);
}

/** Whether an expression mentions `oldSelf` outside of strings. */
export function mentionsOldSelf(expression: string): boolean {
  return /\boldSelf\b/.test(expression.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""'));
}
