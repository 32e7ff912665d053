import type { Note } from './schema-writer.js';

const TITLES: Readonly<Record<Note['is'], string>> = {
  'left out': 'not in the definition',
  structural: 'kept word for word with k.structural(): zod does not check it',
  bounds: 'bounded as the Go type is: values beyond were lost before, and are refused now',
  description: 'without its description: kubectl explain shows less',
  required: 'required and with a default: the default is enough',
};

/** The notes of a definition by what they say, for a list in Markdown; empty if the definition makes the very CRD. */
export function noteLines(notes: readonly Note[]): readonly string[] {
  return (Object.keys(TITLES) as Note['is'][]).flatMap((is) => {
    const found = notes.filter((note) => note.is === is);
    if (found.length === 0) return [];
    if (is === 'left out' || is === 'structural')
      return [`${TITLES[is]}:`, ...found.map(({ path, what }) => `  - \`${path}\`${what === undefined || what === '' ? '' : `: ${what}`}`)];
    return [`${TITLES[is]}: ${shortened([...new Set(found.map(({ path }) => `\`${path}\``))])}`];
  });
}

/** Fields of one sort that a list still shows. */
const MOST_SHOWN = 8;

function shortened(paths: readonly string[]): string {
  if (paths.length <= MOST_SHOWN) return paths.join(', ');
  return `${paths.slice(0, MOST_SHOWN).join(', ')} and ${paths.length - MOST_SHOWN} more`;
}
