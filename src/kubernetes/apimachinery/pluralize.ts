/** Words whose plural follows no rule of their ending. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['alias', 'aliases'],
  ['analysis', 'analyses'],
  ['apex', 'apices'],
  ['appendix', 'appendices'],
  ['axis', 'axes'],
  ['basis', 'bases'],
  ['child', 'children'],
  ['codex', 'codices'],
  ['crisis', 'crises'],
  ['corpus', 'corpora'],
  ['criterion', 'criteria'],
  ['diagnosis', 'diagnoses'],
  ['focus', 'foci'],
  ['foot', 'feet'],
  ['genesis', 'geneses'],
  ['goose', 'geese'],
  ['half', 'halves'],
  ['index', 'indices'],
  ['knife', 'knives'],
  ['leaf', 'leaves'],
  ['life', 'lives'],
  ['woman', 'women'],
  ['louse', 'lice'],
  ['matrix', 'matrices'],
  ['mouse', 'mice'],
  ['nucleus', 'nuclei'],
  ['person', 'people'],
  ['oasis', 'oases'],
  ['ox', 'oxen'],
  ['potato', 'potatoes'],
  ['phenomenon', 'phenomena'],
  ['radius', 'radii'],
  ['quiz', 'quizzes'],
  ['shelf', 'shelves'],
  ['synopsis', 'synopses'],
  ['thesis', 'theses'],
  ['thief', 'thieves'],
  ['tomato', 'tomatoes'],
  ['tooth', 'teeth'],
  ['vertex', 'vertices'],
  ['vortex', 'vortices'],
  ['wife', 'wives'],
  ['wolf', 'wolves'],
]);

/** Words that are their own plural, or name what is not counted. */
const UNCHANGED: ReadonlySet<string> = new Set([
  'aircraft',
  'data',
  'deer',
  'equipment',
  'fish',
  'information',
  'metadata',
  'money',
  'moose',
  'news',
  'people',
  'police',
  'rice',
  'series',
  'sheep',
  'species',
]);

/** Endings in order of trial; the first that fits decides. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/(?<=[lr])f$/, 'ves'],
  [/([^aeiou]|qu)y$/, '$1ies'],
  [/(?<=(?:dat|rat|dend|end|medi|emi|quant|rand|moment|spectr|maxim|minim|optim))um$/, 'a'],
  [/(ss|sh|ch|x|tz|zz|us)$/, '$1es'],
  [/([ei])z$/, '$1zzes'],
  // -io, -lo, -to, -oo and -ano are mostly shortened or foreign words: portfolios, silos, photos, zoos, volcanos.
  [/(?<=[ilto]|an)o$/, 'os'],
  [/o$/, 'oes'],
  [/s$/, 's'],
];

/**
 * The plural of an English word in lower case, as a resource name wants it: `networkpolicy` becomes `networkpolicies`.
 *
 * The rules agree with those of Go's flect, which controller-gen uses, on the words that kinds are made of; a kind of Go origin keeps its resource name. Where a
 * word is stranger than that, say `plural`.
 */
export function pluralize(word: string): string {
  if (UNCHANGED.has(word)) return word;
  for (const [singular, plural] of IRREGULAR) {
    // Also as the end of a compound, `nodeleaf`. `ox` ends many words that have nothing to do with it: `box`, `proxbox`.
    if (singular === 'ox' ? word === singular : word.endsWith(singular)) return word.slice(0, -singular.length) + plural;
  }
  for (const [ending, replacement] of ENDINGS) {
    if (ending.test(word)) return word.replace(ending, replacement);
  }
  return `${word}s`;
}
