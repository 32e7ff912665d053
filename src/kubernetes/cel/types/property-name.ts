/** CEL's keywords: a property of such a name is written `__name__`. */
const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

/** Whether CEL takes a name as a variable's. */
export function isIdentifier(name: string): boolean {
  return /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !RESERVED.has(name);
}

const ESCAPES: readonly (readonly [string, string])[] = [
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
];

/**
 * The identifier by which CEL reads a property: `x-y` → `x__dash__y`, `namespace` → `__namespace__`.
 *
 * @returns `undefined` for a name that no expression can reach (a leading digit, a character beyond `[A-Za-z0-9_.\-/]`)
 */
export function escapePropertyName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_.\-/][A-Za-z0-9_.\-/]*$/.test(name)) return undefined;
  return name.replace(/__|[-./]/g, (text) => ESCAPES.find(([plain]) => plain === text)?.[1] ?? text);
}

/** The inverse of {@link escapePropertyName}; `undefined` for an identifier with an unknown escape. */
export function unescapePropertyName(identifier: string): string | undefined {
  // Asked at every field access, and hardly any name is escaped.
  if (!identifier.includes('__')) return identifier;
  let valid = true;
  const name = identifier.replace(/__[^_]+__/g, (escaped) => {
    const plain = ESCAPES.find(([, form]) => form === escaped)?.[0];
    if (plain !== undefined) return plain;
    const word = escaped.slice(2, -2);
    if (!RESERVED.has(word) || escaped !== identifier) valid = false;
    return word;
  });
  return valid ? name : undefined;
}
