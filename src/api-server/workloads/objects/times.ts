/** As the API writes times: to the second. */
export function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

export function millisecondsOf(text: string | undefined): number {
  return text === undefined ? Number.NaN : Date.parse(text);
}

/** Older first, then by name: as controllers sort what they keep. */
export function byAge(left: Aged, right: Aged): number {
  const [one, two] = [left.metadata.creationTimestamp ?? '', right.metadata.creationTimestamp ?? ''];
  if (one !== two) return one < two ? -1 : 1;
  return left.metadata.name < right.metadata.name ? -1 : left.metadata.name === right.metadata.name ? 0 : 1;
}

interface Aged {
  readonly metadata: { readonly name: string; readonly creationTimestamp?: string | undefined };
}
