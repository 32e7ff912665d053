import type { ProjectFile } from '../scaffold/index.js';

/** New files, and the lines that the user adds where the operator is put together. */
export interface Addition {
  readonly files: readonly ProjectFile[];
  readonly imports: string;
  /** Names that belong into a list of the operator. */
  readonly entries: readonly { readonly list: 'controllers' | 'webhooks'; readonly names: readonly string[] }[];
}

/** Reports the files that were written, and the lines to add by hand. */
export function reportOf({ files, imports, entries }: Addition): string {
  const written = files.map(({ path }) => `${path}\n`).join('');
  const lines = entries.map(({ list, names }) => `  ${list}: [..., ${names.join(', ')}],\n`).join('');
  return `${written}\nAdd to src/operator.ts:\n  ${imports.trimEnd()}\n${lines}`;
}
