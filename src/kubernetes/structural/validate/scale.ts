import { type FieldError, goType, goValue, invalid, type Json } from '../../apimachinery/index.js';

export interface ScaleValidation {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string | undefined;
}

const MAX_INT32 = 2 ** 31 - 1;

/**
 * Values that the scale subresource reads.
 *
 * Source: apiextensions-apiserver, `pkg/registry/customresource/validator.go`.
 */
export function validateScale(value: Json, scale: ScaleValidation, part: 'all' | 'status'): FieldError[] {
  const selector = scale.labelSelectorPath === undefined ? [] : selectorErrors(value, scale.labelSelectorPath);
  return [
    ...(part === 'all' ? replicaErrors(value, scale.specReplicasPath) : []),
    ...replicaErrors(value, scale.statusReplicasPath),
    ...selector,
  ];
}

function replicaErrors(value: Json, path: string): FieldError[] {
  const found = nested(value, path);
  if ('problem' in found) return [invalid(path, 0, found.problem)];
  if (found.value === undefined) return [];
  if (typeof found.value !== 'number' || !Number.isInteger(found.value)) return [invalid(path, 0, typeProblem(path, found.value, 'int64'))];
  if (found.value < 0) return [invalid(path, found.value, 'should be a non-negative integer')];
  return found.value > MAX_INT32 ? [invalid(path, found.value, `should be less than or equal to ${MAX_INT32}`)] : [];
}

function selectorErrors(value: Json, path: string): FieldError[] {
  const found = nested(value, path);
  if ('problem' in found) return [invalid(path, '', found.problem)];
  return found.value === undefined || typeof found.value === 'string' ? [] : [invalid(path, '', typeProblem(path, found.value, 'string'))];
}

type Nested = { readonly value: Json | undefined } | { readonly problem: string };

function nested(value: Json, path: string): Nested {
  let current: Json | undefined = value;
  const steps = path.replace(/^\./, '').split('.');
  for (const [index, step] of steps.entries()) {
    if (current === undefined || current === null) return { value: undefined };
    if (typeof current !== 'object' || Array.isArray(current)) {
      return { problem: typeProblem(`.${steps.slice(0, index + 1).join('.')}`, current, 'map[string]interface{}') };
    }
    current = (current as { readonly [key: string]: Json })[step];
  }
  return { value: current };
}

function typeProblem(path: string, value: Json, expected: string): string {
  return `${path} accessor error: ${goValue(value)} is of the type ${goType(value)}, expected ${expected}`;
}
