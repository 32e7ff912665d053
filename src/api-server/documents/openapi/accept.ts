/**
 * The media type that a client likes best among those offered; undefined if it takes none of them. Parameters do not count.
 * Source: kube-openapi `pkg/handler`, goautoneg (best quality first, then what names a type before what does not; a quality of 0 counts as the last one).
 */
export function firstAccepted<T extends string>(accept: string | undefined, offered: readonly T[]): T | undefined {
  if (accept === undefined || accept === '') return offered[0];
  const ranges = accept.split(',').map(rangeOf);
  ranges.sort((a, b) => b.quality - a.quality || starsOf(a.range) - starsOf(b.range));
  for (const { range } of ranges) {
    const found = offered.find((type) => range === type || range === '*/*' || range === `${type.split('/', 1)[0]}/*`);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Range {
  readonly range: string;
  readonly quality: number;
}

function rangeOf(clause: string): Range {
  const [range = '', ...parameters] = clause.split(';').map((part) => part.trim());
  const text = parameters.find((parameter) => /^q\s*=/.test(parameter));
  const quality = text === undefined ? 1 : Number(text.slice(text.indexOf('=') + 1));
  return { range, quality: Number.isNaN(quality) ? 0 : quality };
}

function starsOf(range: string): number {
  return range.split('*').length - 1;
}
