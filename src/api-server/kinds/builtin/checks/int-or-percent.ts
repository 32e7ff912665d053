import { type FieldError, invalid } from '@keelson/kubernetes/apimachinery';
import { invalidEach, nonNegative, percentProblems } from './field-checks.js';
import type { Errors } from './rules.js';

/** `IntOrString` as a number of pods or a share of them. Source: kubernetes `pkg/apis/apps/validation`. */
export function positiveIntOrPercent(value: number | string, path: string): Errors {
  return typeof value === 'number' ? nonNegative(value, path) : invalidEach(path, value, percentProblems(value));
}

function percentOf(value: number | string): number | undefined {
  return typeof value === 'string' && percentProblems(value).length === 0 ? Number(value.slice(0, -1)) : undefined;
}

/** The number before the percent sign; another text counts as the number that it begins with, else 0. */
export function intOrPercentValue(value: number | string): number {
  if (typeof value === 'number') return value;
  return percentOf(value) ?? (/^[+-]?[0-9]+$/.test(value) ? Number(value) : 0);
}

export function notMoreThan100Percent(value: number | string, path: string): readonly FieldError[] {
  const percent = percentOf(value);
  return percent === undefined || percent <= 100 ? [] : [invalid(path, value, 'must not be greater than 100%')];
}
