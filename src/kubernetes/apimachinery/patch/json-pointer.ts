/** `a/b~c` → `a~1b~0c`. */
export function escapeSegment(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** In one pass from left to right: `~01` is `~1`. */
function unescapeSegment(segment: string): string {
  return segment.replace(/~[01]/g, (escaped) => (escaped === '~1' ? '/' : '~'));
}

export interface Pointer {
  readonly parents: readonly string[];
  readonly key: string;
}

/**
 * The API server's reading: what stands before the first slash does not count, and a path without slash leads nowhere (undefined).
 */
export function readPointer(path: string): Pointer | undefined {
  const [, ...segments] = path.split('/').map((segment, index) => (index === 0 ? '' : unescapeSegment(segment)));
  const key = segments.pop();
  return key === undefined ? undefined : { parents: segments, key };
}
