/**
 * Import statements as formatters sort them: packages before files, both by name.
 *
 * @param imports the names by module; a name may begin with `type `
 */
export function importLines(imports: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(imports)
    .sort(([a], [b]) => Number(a.startsWith('.')) - Number(b.startsWith('.')) || inOrder(a, b))
    .map(([module, names]) => `import { ${[...names].sort(inOrder).join(', ')} } from '${module}';\n`)
    .join('');
}

function inOrder(a: string, b: string): number {
  const [first = '', second = ''] = [a, b].map((name) => name.replace(/^type /, '').toLowerCase());
  if (first === second) return 0;
  return first < second ? -1 : 1;
}
