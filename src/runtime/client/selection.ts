import { fieldSelectorText, type KindInfo, labelRequirementsOf, labelSelectorText } from '@keelson/kubernetes/apimachinery';
import { RequestError } from './errors.js';
import type { Selection } from './options.js';

/** Query parameters; those that are `undefined` are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * The selectors of a query.
 *
 * @throws RequestError for a selector that the server would refuse: sent half-read, it could select more than was meant
 */
export function selectionQuery(kind: Pick<KindInfo, 'kind'>, { labels, labelSelector, fieldSelector }: Selection): Query {
  const labelTexts = [
    labels === undefined ? '' : selectorText(kind, { matchLabels: labels }),
    typeof labelSelector === 'object' ? selectorText(kind, labelSelector) : (labelSelector ?? ''),
  ];
  const fields =
    typeof fieldSelector === 'object'
      ? fieldSelectorText(Object.entries(fieldSelector).map(([field, value]) => ({ field, operator: '=', value })))
      : fieldSelector;
  return {
    labelSelector: labelTexts.filter((text) => text !== '').join(',') || undefined,
    fieldSelector: fields === '' ? undefined : fields,
  };
}

function selectorText({ kind }: Pick<KindInfo, 'kind'>, fields: Parameters<typeof labelRequirementsOf>[0]): string {
  const parsed = labelRequirementsOf(fields);
  if ('problem' in parsed) throw new RequestError(`${kind}: label selector ${JSON.stringify(fields)}: ${parsed.problem}`);
  return labelSelectorText(parsed.requirements);
}

export function queryText(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
