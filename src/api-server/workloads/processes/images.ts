/** Finds the entry of a table of image patterns. `*` stands for any text; the longest pattern that matches counts. */
export function findByImage<T>(entries: ReadonlyMap<string, T>, image: string): T | undefined {
  const matching = [...entries.keys()].filter((pattern) => matchesImage(pattern, image));
  const [best] = matching.sort((left, right) => right.length - left.length);
  return best === undefined ? undefined : entries.get(best);
}

function matchesImage(pattern: string, image: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === image;
  const last = rest.at(-1) ?? '';
  if (!image.startsWith(first) || !image.endsWith(last) || image.length < first.length + last.length) return false;
  let position = first.length;
  const end = image.length - last.length;
  for (const middle of rest.slice(0, -1)) {
    const found = image.indexOf(middle, position);
    if (found < 0 || found + middle.length > end) return false;
    position = found + middle.length;
  }
  return true;
}
