/** `; did you mean init?` for a word that is one or two keys away from one of the others; else an empty text. */
export function didYouMean(word: string, others: readonly string[]): string {
  const nearest = similarWord(word, others);
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}

/** The most similar of the other words, at most two keys away (one if the word is short); `undefined` if no word is. */
export function similarWord(word: string, others: readonly string[]): string | undefined {
  const most = word.length < 4 ? 1 : 2;
  const near = others.map((other) => ({ other, distance: distanceOf(word, other) })).filter(({ distance }) => distance <= most);
  const least = Math.min(...near.map(({ distance }) => distance));
  return near.find(({ distance }) => distance === least)?.other;
}

/** Keys to be pressed, left out, changed or swapped (the optimal string alignment). */
function distanceOf(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= from.length; row += 1) {
    const [above = [], beforeThat = []] = [rows[row - 1], rows[row - 2]];
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(above, column) + 1,
        at(current, column - 1) + 1,
        at(above, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforeThat, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(current);
  }
  return at(rows[from.length] ?? [], to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
