/** Reads `1,3-5,7`, the form in which a Job lists its completed indexes. */
export function indexesIn(text: string): ReadonlySet<number> {
  const indexes = new Set<number>();
  for (const part of text.split(',').filter((one) => one !== '')) {
    const [first = 0, last = first] = part.split('-').map(Number);
    for (let index = first; index <= last; index += 1) indexes.add(index);
  }
  return indexes;
}

export function indexText(indexes: Iterable<number>): string {
  const parts: [number, number][] = [];
  for (const index of [...indexes].sort((left, right) => left - right)) {
    const last = parts.at(-1);
    if (last !== undefined && last[1] === index - 1) last[1] = index;
    else parts.push([index, index]);
  }
  // Two in a row are listed one by one.
  return parts
    .map(([first, last]) => (first === last ? String(first) : last === first + 1 ? `${first},${last}` : `${first}-${last}`))
    .join(',');
}
