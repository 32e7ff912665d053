import {
  type FieldError,
  forbidden,
  invalid,
  type LabelSelectorFields,
  labelRequirementsOf,
  labelValueProblems,
  matchesLabels,
  required,
  validateLabels,
} from '@keelson/kubernetes/apimachinery';
import { invalidEach, labelName } from './field-checks.js';
import type { Errors } from './rules.js';

type Selector = LabelSelectorFields;

/** Source: apimachinery `pkg/apis/meta/v1/validation` (`ValidateLabelSelector`). */
export function labelSelectorErrors(selector: Selector | null | undefined, path: string): Errors {
  if (selector === undefined || selector === null) return [];
  const errors: FieldError[] = [...validateLabels(selector.matchLabels ?? {}, `${path}.matchLabels`)];
  for (const [index, { key, operator, values }] of (selector.matchExpressions ?? []).entries()) {
    const field = `${path}.matchExpressions[${index}]`;
    errors.push(...operatorErrors(operator, values ?? [], field), ...labelName(key, `${field}.key`));
    for (const [position, value] of (values ?? []).entries()) {
      errors.push(...invalidEach(`${field}.values[${position}]`, value, labelValueProblems(value)));
    }
  }
  return errors;
}

function operatorErrors(operator: string, values: readonly string[], path: string): Errors {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0 ? [] : [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0 ? [] : [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

export function isEmptySelector(selector: Selector): boolean {
  return Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0;
}

/** Whether a selector selects labels: none selects nothing, an empty one everything; undefined for one that cannot be read. */
export function selects(selector: Selector | null | undefined, labels: Readonly<Record<string, string>> = {}): boolean | undefined {
  if (selector === undefined || selector === null) return false;
  const parsed = labelRequirementsOf(selector);
  return 'problem' in parsed ? undefined : matchesLabels(parsed.requirements, labels);
}

/** The selector as messages print it: the fields in Go's order. */
export function printedSelector(selector: Selector | null | undefined): unknown {
  if (selector === undefined || selector === null) return null;
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values }) =>
      new Map<string, unknown>([['key', key], ['operator', operator], ...(values?.length ? ([['values', values]] as const) : [])]),
  );
  return new Map<string, unknown>([
    ...(Object.keys(selector.matchLabels ?? {}).length > 0 ? ([['matchLabels', selector.matchLabels]] as const) : []),
    ...(expressions.length > 0 ? ([['matchExpressions', expressions]] as const) : []),
  ]);
}
