import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlocksOf } from './markdown.js';

/** The page with every `include` block cut anew from its file. */
export function withIncludes(markdown: string, root: string): string {
  const lines = markdown.split('\n');
  // From the end: a block that grows must not move the ones that are still to come.
  for (const { directive, line, text } of codeBlocksOf(markdown).reverse()) {
    if (directive?.name !== 'include') continue;
    lines.splice(line - 1, text === '' ? 0 : text.split('\n').length, ...excerpt(root, directive.argument).split('\n'));
  }
  return lines.join('\n');
}

/** `path#region` or `path`; the marks of regions are left out. */
function excerpt(root: string, reference: string): string {
  const [path = '', region] = reference.split('#');
  const lines = readFileSync(join(root, path), 'utf8').trimEnd().split('\n');
  const start = region === undefined ? 0 : lines.findIndex((line) => line.trim() === `// #region ${region}`) + 1;
  if (region !== undefined && start === 0) throw new Error(`${path} has no line "// #region ${region}"`);
  const length = region === undefined ? lines.length : lines.slice(start).findIndex((line) => line.trim() === '// #endregion');
  if (length < 0) throw new Error(`${path}: the region ${region} has no "// #endregion"`);
  const shown = lines.slice(start, start + length).filter((line) => !/^\s*\/\/ #(end)?region\b/.test(line));
  const margin = Math.min(...shown.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  return shown.map((line) => line.slice(margin)).join('\n');
}
