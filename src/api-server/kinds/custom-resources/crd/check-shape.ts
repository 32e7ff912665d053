import { type FieldError, invalid, required } from '@keelson/kubernetes/apimachinery';
import type { Columns, Subresources } from './definition.js';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** Only the leading dot is looked at: what a path really means is found out when it is used. */
function pathErrors(path: string, value: string): readonly FieldError[] {
  return value.startsWith('.') ? [] : [invalid(path, value, 'must be a simple json path starting with .')];
}

export function columnErrors(columns: Columns, path: string): readonly FieldError[] {
  return columns.flatMap((column, index) => oneColumnErrors(column, `${path}[${index}]`));
}

function oneColumnErrors({ name, type, format = '', jsonPath }: Columns[number], path: string): readonly FieldError[] {
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  const formats = `must be one of ${COLUMN_FORMATS.join(',')}`;
  return [
    ...(name === '' ? [required(`${path}.name`)] : []),
    ...(type === '' ? [required(`${path}.type`, types)] : COLUMN_TYPES.includes(type) ? [] : [invalid(`${path}.type`, type, types)]),
    ...(format === '' || COLUMN_FORMATS.includes(format) ? [] : [invalid(`${path}.format`, format, formats)]),
    ...(jsonPath === '' ? [required(`${path}.JSONPath`)] : pathErrors(`${path}.JSONPath`, jsonPath)),
  ];
}

interface PathRule {
  readonly field: string;
  readonly roots: readonly string[];
  readonly says: string;
}

const SPEC_REPLICAS: PathRule = { field: 'specReplicasPath', roots: ['.spec.'], says: 'should be a json path under .spec' };
const STATUS_REPLICAS: PathRule = { field: 'statusReplicasPath', roots: ['.status.'], says: 'should be a json path under .status' };
const SELECTOR: PathRule = {
  field: 'labelSelectorPath',
  roots: ['.spec.', '.status.'],
  says: 'should be a json path under either .spec or .status',
};

export function subresourceErrors(subresources: Subresources | undefined, path: string): readonly FieldError[] {
  const scale = subresources?.scale ?? undefined;
  if (scale === undefined) return [];
  const errorsOf = (value: string, { field, roots, says }: PathRule): readonly FieldError[] => {
    const at = `${path}.scale.${field}`;
    if (value === '') return [required(at)];
    const errors = pathErrors(at, value);
    return errors.length > 0 || roots.some((root) => value.startsWith(root)) ? errors : [invalid(at, value, says)];
  };
  const selector = scale.labelSelectorPath ?? '';
  return [
    ...errorsOf(scale.specReplicasPath, SPEC_REPLICAS),
    ...errorsOf(scale.statusReplicasPath, STATUS_REPLICAS),
    ...(selector === '' ? [] : errorsOf(selector, SELECTOR)),
  ];
}
