/** A remark on one field of a definition, for those who read it. */
export interface Note {
  readonly path: string;
  /**
   * Differences: `left out`: it is not in the definition; `pruned`: stored data goes; the others as in `differences`, `own text` for the fields of every object. Remarks: `structural`:
   * kept word for word; `new`: taken because the resource exists.
   */
  readonly is: 'left out' | 'pruned' | 'bounds' | 'description' | 'own text' | 'required' | 'structural' | 'new';
  /** Why, or the keywords of the schema. */
  readonly what?: string;
}

const TITLES: Readonly<Record<Note['is'], string>> = {
  pruned: 'pruned from stored objects, as --allow-pruning allows',
  'left out': 'not in the definition',
  bounds: 'bounded as the Go type is: values beyond were lost before, and are refused now',
  description: 'without its description: kubectl explain shows less',
  'own text': 'without its description: the API server shows its own',
  required: 'required and with a default: the default is enough',
  structural: 'kept word for word with k.structural(): zod does not check it',
  new: 'taken with existing: true: a new definition would be refused for it',
};

/** Whether the CRD of the definition is another one because of it. */
export const isDifference = ({ is }: Note): boolean => is !== 'structural' && is !== 'new';

/** The notes by what they say, for a list in Markdown. @param isShort a line that only names fields stops after a few */
export function noteLines(notes: readonly Note[], { isShort }: { readonly isShort: boolean }): readonly string[] {
  return (Object.keys(TITLES) as Note['is'][]).flatMap((is) => {
    const found = notes.filter((note) => note.is === is);
    if (found.length === 0) return [];
    if (found.some(({ what }) => what !== undefined))
      return [`${TITLES[is]}:`, ...found.map(({ path, what = '' }) => `  - \`${path}\`${what === '' ? '' : `: ${what}`}`)];
    return [`${TITLES[is]}: ${listed([...new Set(found.map(({ path }) => `\`${path}\``))], isShort)}`];
  });
}

/** Fields of one sort that a short list still shows. */
const MOST_SHOWN = 8;

function listed(paths: readonly string[], isShort: boolean): string {
  if (!isShort || paths.length <= MOST_SHOWN) return paths.join(', ');
  return `${paths.slice(0, MOST_SHOWN).join(', ')} and ${paths.length - MOST_SHOWN} more, which README.md lists`;
}
