import { compareUtf8 } from '@keelson/kubernetes/apimachinery';

interface Named {
  readonly metadata?: { readonly name?: string | undefined; readonly creationTimestamp?: string | undefined } | undefined;
}

/** The newest of several defaults counts; among those made in the same second, the first by name. */
export function newestName(objects: readonly Named[]): string | undefined {
  const [newest] = [...objects].sort(
    (left, right) =>
      compareUtf8(right.metadata?.creationTimestamp ?? '', left.metadata?.creationTimestamp ?? '') ||
      compareUtf8(left.metadata?.name ?? '', right.metadata?.name ?? ''),
  );
  return newest?.metadata?.name;
}
