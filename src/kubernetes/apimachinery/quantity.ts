/**
 * A quantity in a manifest: `500m`, `1.5`, `2Gi`, `1e3`.
 *
 * Source: apimachinery, `pkg/api/resource/quantity.go`; the pattern is the one that CRDs of the ecosystem carry.
 */
export const QUANTITY_PATTERN: string =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

export function isQuantity(text: string): boolean {
  return new RegExp(QUANTITY_PATTERN).test(text);
}
