import type { TableConvertor } from '../../contract/index.js';
import { type Named, table } from './table.js';

interface Scale extends Named {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number };
}

const cells = ({ metadata, spec, status }: Scale, age: string): readonly (string | number)[] => [
  metadata.name ?? '',
  spec?.replicas ?? 0,
  status?.replicas ?? 0,
  age,
];
const BUILT_IN = table<Scale>(['Name', 'Desired:integer', 'Available:integer', 'Age'], (scale, moment) => cells(scale, moment.age(scale)));
const CUSTOM = table<Scale>(['Name', 'Desired:integer', 'Available:integer', 'Age:date'], (scale, moment) =>
  cells(scale, moment.age(scale)),
);

/**
 * The scale of a built-in kind, or of a custom resource.
 *
 * Source: kubernetes `pkg/printers/internalversion/printers.go`, apiextensions-apiserver `pkg/apiserver/helpers.go`.
 */
export function scaleTable({ isCustom }: { readonly isCustom: boolean }): TableConvertor {
  if (isCustom) return CUSTOM;
  // Only here the name is a text like any other.
  return { ...BUILT_IN, columns: BUILT_IN.columns.map((column) => ({ ...column, format: '' })) };
}
