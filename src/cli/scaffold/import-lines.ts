/**
 * Import statements as formatters sort them: packages before files, both by name.
 *
 * @param imports the names by module; a name may begin with `type `
 */
export function importLines(imports: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(imports)
    .sort(([a], [b]) => Number(a.startsWith('.')) - Number(b.startsWith('.')) || inOrder(a, b))
    .map(([module, names]) => `import ${named(names)} from '${module}';\n`)
    .join('');
}

function named(names: readonly string[]): string {
  const sorted = [...names].sort(inOrder);
  return names.every(isType) ? `type { ${sorted.map(bare).join(', ')} }` : `{ ${sorted.join(', ')} }`;
}

const isType = (name: string): boolean => name.startsWith('type ');
const bare = (name: string): string => name.replace(/^type /, '');

function inOrder(a: string, b: string): number {
  const [first = '', second = ''] = [a, b].map((name) => bare(name).replace(/\.js$/, '').toLowerCase());
  if (first === second) return 0;
  return first < second ? -1 : 1;
}
