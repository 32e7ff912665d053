import { compareUtf8 } from '@keelson/kubernetes/apimachinery';
import { type Pair, stringify } from 'yaml';

/** YAML as the API server writes it: keys sorted, lists not indented. How long texts are folded may differ. */
export function yamlText(value: unknown): string {
  return stringify(value, { version: '1.1', indentSeq: false, aliasDuplicateObjects: false, lineWidth: 0, sortMapEntries: byKey });
}

function byKey(left: Pair, right: Pair): number {
  return compareUtf8(keyOf(left), keyOf(right));
}

function keyOf({ key }: Pair): string {
  return String((key as { readonly value?: unknown }).value ?? key);
}
