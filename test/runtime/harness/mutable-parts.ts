/** Paths of what can still be changed, five at most; a walk without recursion, as objects may nest thousands of levels. */
export function mutableParts(value: unknown): string[] {
  const found: string[] = [];
  const left: [string, unknown][] = [['', value]];
  for (let next = left.pop(); next !== undefined && found.length < 5; next = left.pop()) {
    const [path, part] = next;
    if (typeof part !== 'object' || part === null) continue;
    if (!Object.isFrozen(part)) found.push(path === '' ? 'the object itself' : path.slice(0, 200));
    for (const [name, item] of Object.entries(part)) left.push([path.length > 200 ? path : `${path}.${name}`, item]);
  }
  return found;
}
