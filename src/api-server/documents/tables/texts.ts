import { type LabelSelectorFields, labelRequirementsOf, labelSelectorText } from '@keelson/kubernetes/apimachinery';
import type { Container } from '@keelson/kubernetes/kinds';

export const NONE = '<none>';
export const UNSET = '<unset>';

export function orNone(text: string | undefined): string {
  return text === undefined || text === '' ? NONE : text;
}

/** Names and images of containers, as two cells. Null is what Go writes for none. */
export function containerCells(list: readonly Container[] | null | undefined): readonly [names: string, images: string] {
  const containers = list ?? [];
  return [containers.map(({ name }) => name).join(','), containers.map(({ image }) => image ?? '').join(',')];
}

export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  return orNone(
    Object.entries(labels ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .sort()
      .join(','),
  );
}

/** A missing selector chooses nothing. */
export function selectorText(selector: LabelSelectorFields | undefined): string {
  if (selector === undefined) return NONE;
  const parsed = labelRequirementsOf(selector);
  return 'problem' in parsed ? '<error>' : orNone(labelSelectorText(parsed.requirements));
}

/** As Go prints the value, in Go's syntax. */
export function goSelectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelectorFields): string {
  const labels = Object.entries(matchLabels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}

/** The first few of a list, and how many more there are. */
export function withMore(list: readonly string[], most: number): string {
  const shown = list.slice(0, most).join(',');
  return list.length > most ? `${shown} + ${list.length - most} more...` : shown;
}

export function isTrue(conditions: readonly { readonly type: string; readonly status: string }[] | undefined, type: string): boolean {
  return conditions?.find((condition) => condition.type === type)?.status === 'True';
}
