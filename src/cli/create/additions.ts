import type { ProjectFile } from '../scaffold/index.js';

/** New files, and the lines that the user adds to a file that is there. */
export interface Addition {
  readonly files: readonly ProjectFile[];
  /** The file that the user changes, as messages name it. */
  readonly place: string;
  /** Import statements and parts of an object literal. */
  readonly lines: readonly string[];
  /** Everything else to know, in whole lines. */
  readonly remarks?: readonly string[];
}

/** An addition to the lists of the operator. */
export interface Listed {
  readonly files: readonly ProjectFile[];
  readonly imports: string;
  readonly entries: readonly { readonly list: 'controllers' | 'webhooks'; readonly names: readonly string[] }[];
}

/** An addition whose lines go where the operator is put together. */
export function inOperator({ files, imports, entries }: Listed): Addition {
  const lists = entries.map(({ list, names }) => `${list}: [..., ${names.join(', ')}],`);
  return { files, place: 'src/operator.ts', lines: [imports.trimEnd(), ...lists] };
}

/** Reports the files that were written, and the lines to add by hand. */
export function reportOf({ files, place, lines, remarks = [] }: Addition): string {
  const written = files.map(({ path }) => `${path}\n`).join('');
  const added = lines.map((line) => `${line.replace(/^(?=.)/gm, '  ')}\n`).join('');
  return `${written}\nAdd to ${place}:\n${added}${remarks.length === 0 ? '' : `\n${remarks.join('\n')}\n`}`;
}
