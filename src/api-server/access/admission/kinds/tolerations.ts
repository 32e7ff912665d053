import { equalJson } from '@keelson/kubernetes/apimachinery';
import type { Toleration } from '@keelson/kubernetes/kinds';

/** Both, without those that another one covers. Source: kubernetes `pkg/util/tolerations`. */
export function mergedTolerations(first: readonly Toleration[], second: readonly Toleration[]): readonly Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [index, one] of all.entries()) {
    if (merged.some((other) => covers(other, one))) continue;
    // The first of equals stays.
    if (all.slice(index + 1).some((other) => !isEqual(other, one) && covers(other, one))) continue;
    merged.push(one);
  }
  return merged;
}

function covers(wide: Toleration, narrow: Toleration): boolean {
  if (isEqual(wide, narrow)) return true;
  const { key = '', operator, effect, value = '', tolerationSeconds } = wide;
  if ((narrow.key ?? '') !== key && (key !== '' || operator !== 'Exists')) return false;
  if (narrow.effect !== effect && effect !== undefined) return false;
  if (effect === 'NoExecute' && tolerationSeconds !== undefined) {
    if (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > tolerationSeconds) return false;
  }
  if (operator === 'Exists') return true;
  return narrow.operator === 'Equal' && (narrow.value ?? '') === value;
}

function isEqual(left: Toleration, right: Toleration): boolean {
  return equalJson(fieldsOf(left), fieldsOf(right));
}

/** A text that is not there is an empty one. */
function fieldsOf({ key, operator, effect, value, tolerationSeconds }: Toleration): readonly unknown[] {
  return [key ?? '', operator ?? '', effect ?? '', value ?? '', tolerationSeconds];
}
