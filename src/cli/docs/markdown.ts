/** Text in a cell: cells end at a pipe, rows at a line break. */
function cell(text: string): string {
  return text
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');
}

/** Code in a line. It may hold backticks itself: the fence is longer than the longest run of them. */
export function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = longest > 0 || text === '' ? ' ' : '';
  return `${fence}${space}${text.replace(/\s*\n\s*/g, ' ')}${space}${fence}`;
}

/** A table, or nothing for no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');
}

/** A heading and what stands below it; nothing where nothing does. */
export function section(heading: string, content: string): readonly string[] {
  return content === '' ? [] : [heading, content];
}
