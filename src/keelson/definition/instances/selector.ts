import { type LabelRequirement, parseFieldSelector, parseLabelSelector } from '@keelson/kubernetes/apimachinery';
import { fieldProblem } from '../controller/index.js';
import type { ControllerModel, LabelSelectorModel, SelectModel } from '../model.js';

/** Which objects an installation is for, as texts: those of `kubectl get -l` and `--field-selector`. */
export interface InstanceSelector {
  readonly selector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** An error in one of the two texts. */
export interface SelectorProblem {
  readonly part: keyof InstanceSelector;
  readonly found: string;
  readonly message: string;
}

type Narrowed = Pick<ControllerModel, 'for' | 'select'>;

/** Whether an installation is for some of the objects only. */
export function isSelective({ selector = '', fieldSelector = '' }: InstanceSelector): boolean {
  return selector !== '' || fieldSelector !== '';
}

/** Whether a controller is for some of its kind's objects only, so that another instance may be for the others. */
export function isNarrowed({ select }: Pick<ControllerModel, 'select'>, instance: InstanceSelector): boolean {
  return select !== undefined || isSelective(instance);
}

/** The first problem of an installation's selectors; `undefined` if these controllers can use them. */
export function selectorProblem(
  { selector = '', fieldSelector = '' }: InstanceSelector,
  controllers: readonly (Narrowed & { readonly name: string })[],
): SelectorProblem | undefined {
  const labels = labelsOf(selector);
  if ('problem' in labels) return { part: 'selector', found: selector, message: labels.problem };
  const fields = fieldsOf(fieldSelector);
  if ('problem' in fields) return { part: 'fieldSelector', found: fieldSelector, message: fields.problem };
  for (const { name, for: primary, select } of controllers)
    for (const [path, value] of Object.entries(fields.fields)) {
      const problem = fieldProblem(primary, path) ?? contradiction(select, path, value);
      if (problem !== undefined) return { part: 'fieldSelector', found: fieldSelector, message: `controller ${name}: ${path} ${problem}` };
    }
  return undefined;
}

function contradiction(select: SelectModel | undefined, path: string, value: string): string | undefined {
  const defined = select?.fields?.[path];
  return defined === undefined || defined === value
    ? undefined
    : `is '${defined}' for every object that the controller is for; leave the field out, or write that value`;
}

/**
 * The objects that a controller is for: those that its definition selects, and of these the installation's. `undefined` for all.
 *
 * The cache evaluates it, by the API server and for its own writes; no other code says which objects are an installation's.
 *
 * @throws TypeError for selectors with a {@link selectorProblem}
 */
export function selectedBy({ select }: Narrowed, { selector = '', fieldSelector = '' }: InstanceSelector): SelectModel | undefined {
  if (selector === '' && fieldSelector === '') return select;
  const labelSelector = instanceLabels({ selector });
  const fields = { ...select?.fields, ...must(fieldsOf(fieldSelector)).fields };
  return {
    ...(select?.labels === undefined ? {} : { labels: select.labels }),
    labelSelector: joined(select?.labelSelector, labelSelector),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
  };
}

/** The labels of an installation's objects, as objects of the API write a selector; `undefined` for all. */
export function instanceLabels({ selector = '' }: InstanceSelector): LabelSelectorModel | undefined {
  return selector === '' ? undefined : must(labelsOf(selector)).labels;
}

/** Both must hold. */
export function joined(one: LabelSelectorModel | undefined, other: LabelSelectorModel | undefined): LabelSelectorModel | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const { matchLabels = {} } = one;
  // The same key twice would be one entry of the map.
  const isTwice = ([key, value]: readonly [string, string]): boolean => (matchLabels[key] ?? value) !== value;
  const labels = Object.entries(other.matchLabels ?? {});
  const all = { ...matchLabels, ...Object.fromEntries(labels.filter((label) => !isTwice(label))) };
  const expressions = [...(one.matchExpressions ?? []), ...(other.matchExpressions ?? []), ...labels.filter(isTwice).map(equality)];
  return {
    ...(Object.keys(all).length === 0 ? {} : { matchLabels: all }),
    ...(expressions.length === 0 ? {} : { matchExpressions: expressions }),
  };
}

type Expressions = NonNullable<LabelSelectorModel['matchExpressions']>;

function equality([key, value]: readonly [string, string]): Expressions[number] {
  return { key, operator: 'In', values: [value] };
}

function labelsOf(text: string): { readonly labels: LabelSelectorModel } | { readonly problem: string } {
  const parsed = parseLabelSelector(text);
  if ('problem' in parsed) return { problem: `is not a label selector: ${parsed.problem}` };
  const { requirements } = parsed;
  if (text !== '' && requirements.length === 0) return { problem: 'selects every object; leave it out' };
  const compared = requirements.find(({ operator }) => operator === 'gt' || operator === 'lt');
  if (compared !== undefined)
    return {
      problem: `compares ${compared.key} by size, which the selectors of webhooks cannot; write =, !=, in, notin, or the label alone`,
    };
  const [first] = requirements.filter(isEquality);
  const isMap =
    first !== undefined && requirements.every(isEquality) && new Set(requirements.map(({ key }) => key)).size === requirements.length;
  if (isMap) return { labels: { matchLabels: Object.fromEntries(requirements.map(({ key, values }) => [key, values[0] ?? ''])) } };
  return { labels: { matchExpressions: requirements.map(expressionOf) } };
}

function isEquality({ operator }: LabelRequirement): boolean {
  return operator === '=' || operator === '==';
}

function expressionOf({ key, operator, values }: LabelRequirement): Expressions[number] {
  switch (operator) {
    case 'exists':
      return { key, operator: 'Exists' };
    case '!':
      return { key, operator: 'DoesNotExist' };
    case '!=':
    case 'notin':
      return { key, operator: 'NotIn', values };
    default:
      return { key, operator: 'In', values };
  }
}

function fieldsOf(text: string): { readonly fields: Readonly<Record<string, string>> } | { readonly problem: string } {
  const parsed = parseFieldSelector(text);
  if ('problem' in parsed) return { problem: `is not a field selector: ${parsed.problem}` };
  const { requirements } = parsed;
  if (text !== '' && requirements.length === 0) return { problem: 'selects every object; leave it out' };
  const unequal = requirements.find(({ operator }) => operator === '!=');
  if (unequal !== undefined)
    return {
      problem: `leaves out a value of ${unequal.field}; write ${unequal.field}=value, or ${unequal.field}= for objects without one`,
    };
  const twice = requirements.find(({ field, value }) => requirements.some((other) => other.field === field && other.value !== value));
  if (twice !== undefined) return { problem: `gives ${twice.field} two values, which no object has` };
  return { fields: Object.fromEntries(requirements.map(({ field, value }) => [field, value])) };
}

function must<T extends object>(parsed: T | { readonly problem: string }): T {
  if ('problem' in parsed) throw new TypeError(`the selector ${parsed.problem}`);
  return parsed;
}
