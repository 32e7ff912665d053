import type { StructuralSchema } from '@keelson/kubernetes/apimachinery';
import { forNew, type Problem } from '../errors.js';
import type { CustomResourceVersionModel, PrinterColumn, ScalePaths } from '../model.js';
import { type Found, parsePath, schemaAt } from './field-path.js';

/** The values that apiextensions allows for `format` of a column. */
const COLUMN_FORMATS: readonly string[] = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password'];
const COLUMN_TYPES: readonly string[] = ['integer', 'number', 'string', 'boolean', 'date'];
/** apiextensions-apiserver, `pkg/apis/apiextensions/validation` (`MaxSelectableFields`). */
const MAX_SELECTABLE_FIELDS = 8;
/** apiextensions-apiserver, the same file: `deprecationWarning` in bytes. */
const MAX_DEPRECATION_WARNING = 256;
/** The paths that scale and selectable fields take: plain fields, no lists. */
const SIMPLE_PATH = /^(\.[A-Za-z_][\w-]*)+$/;

/** Checks what a version says beside its schema, against the schema. */
export function versionProblems(version: CustomResourceVersionModel, path: string): Problem[] {
  return [
    ...columnProblems(version, path),
    ...(version.scale === undefined ? [] : scaleProblems(version.scale, version, path)),
    ...selectableProblems(version, path),
    ...deprecationProblems(version, path),
  ];
}

function columnProblems({ columns, schema }: CustomResourceVersionModel, path: string): Problem[] {
  const names = columns.map(({ name }) => name);
  return columns.flatMap((column, index) => {
    const at = `${path}.columns[${index}]`;
    const problems: Problem[] = [];
    if (column.name === '') problems.push({ path: `${at}.name`, message: 'is empty; write the heading of the column' });
    if (names.indexOf(column.name) !== index) {
      problems.push(
        forNew({ path: `${at}.name`, message: `'${column.name}' is the name of an earlier column too; give each column its own` }),
      );
    }
    if (!COLUMN_TYPES.includes(column.type)) {
      problems.push({ path: `${at}.type`, message: `'${column.type}' is not a column type; write one of ${COLUMN_TYPES.join(', ')}` });
    }
    if (column.format !== undefined && !COLUMN_FORMATS.includes(column.format)) {
      problems.push({
        path: `${at}.format`,
        message: `'${column.format}' is not a column format; write one of ${COLUMN_FORMATS.join(', ')} or leave it out`,
      });
    }
    if (column.priority !== undefined && !(Number.isInteger(column.priority) && column.priority >= 0)) {
      const message = `${column.priority} is not a priority; write 0 (always shown) or a greater integer (shown by -o wide)`;
      problems.push(Number.isInteger(column.priority) ? forNew({ path: `${at}.priority`, message }) : { path: `${at}.priority`, message });
    }
    const wrong = columnPathProblems(column, schema, `${at}.jsonPath`);
    return [...problems, ...(column.jsonPath.startsWith('.') ? wrong.map(forNew) : wrong)];
  });
}

function columnPathProblems({ jsonPath, type }: PrinterColumn, schema: StructuralSchema, path: string): Problem[] {
  const steps = parsePath(jsonPath);
  if (steps === undefined) {
    return [
      {
        path,
        message: `'${jsonPath}' is no JSONPath of one value; write it like .spec.size or .status.conditions[?(@.type=="Ready")].status`,
      },
    ];
  }
  const found = schemaAt(schema, steps);
  if (found === undefined) return [{ path, message: `'${jsonPath}' is not in the schema; correct the path or add the field` }];
  const shown = columnTypeOf(found);
  if (!COLUMN_TYPES.includes(type)) return [];
  if (shown === undefined || type === 'string' || shown === type || (type === 'number' && shown === 'integer')) return [];
  if (type === 'date' && shown === 'string') return [];
  return [
    {
      path,
      message: `'${jsonPath}' is of type ${shown}, a column of type ${type} would stay empty; write type: '${columnTypeFor(shown)}'`,
    },
  ];
}

/** The schema's type, where it is certain. */
function columnTypeOf(found: Found): string | undefined {
  return found === undefined || found === 'open' || found['x-kubernetes-int-or-string'] === true ? undefined : found.type;
}

function columnTypeFor(type: string): string {
  return COLUMN_TYPES.includes(type) ? type : 'string';
}

function scaleProblems(scale: ScalePaths, { schema }: CustomResourceVersionModel, path: string): Problem[] {
  const problems = [
    ...scalePathProblems({ text: scale.specReplicasPath, below: ['.spec'], type: 'integer', schema }, `${path}.scale.specReplicasPath`),
    ...scalePathProblems(
      { text: scale.statusReplicasPath, below: ['.status'], type: 'integer', schema },
      `${path}.scale.statusReplicasPath`,
    ),
  ];
  if (scale.labelSelectorPath !== undefined) {
    const selector = { text: scale.labelSelectorPath, below: ['.status', '.spec'], type: 'string', schema } as const;
    problems.push(...scalePathProblems(selector, `${path}.scale.labelSelectorPath`));
  }
  // The subresource of the status is not asked for: the API server reads the field wherever it is written.
  return schema.properties?.['status'] !== undefined
    ? problems
    : [...problems, forNew({ path: `${path}.scale`, message: 'reads the replicas from the status; declare a status schema' })];
}

interface ScalePath {
  readonly text: string;
  readonly below: readonly string[];
  readonly type: 'integer' | 'string';
  readonly schema: StructuralSchema;
}

function scalePathProblems({ text, below, type, schema }: ScalePath, path: string): Problem[] {
  const isBelow = below.some((prefix) => text.startsWith(`${prefix}.`));
  if (!SIMPLE_PATH.test(text) || !isBelow) {
    const message = `'${text}' is not a path below ${below.join(' or ')}; write it like ${below[0]}.replicas, without lists`;
    return [isBelow ? forNew({ path, message }) : { path, message }];
  }
  const found = schemaAt(schema, parsePath(text) ?? []);
  if (found === undefined) return [forNew({ path, message: `'${text}' is not in the schema; correct the path or add the field` })];
  if (found !== 'open' && found.type !== type) {
    return [forNew({ path, message: `'${text}' is of type ${found.type ?? 'int-or-string'}; point at a field of type ${type}` })];
  }
  return [];
}

function selectableProblems({ selectableFields, schema }: CustomResourceVersionModel, path: string): Problem[] {
  const problems = selectableFields.flatMap((text, index) => {
    const at = `${path}.selectableFields[${index}]`;
    if (!SIMPLE_PATH.test(text))
      return [{ path: at, message: `'${text}' is not a path of plain fields; write it like .spec.nodeName, without lists` }];
    if (text.startsWith('.metadata.')) {
      return [{ path: at, message: `'${text}' is metadata; name and namespace are selectable without being listed, the rest is not` }];
    }
    if (selectableFields.indexOf(text) !== index) return [{ path: at, message: `'${text}' is listed twice; leave one out` }];
    const found = schemaAt(schema, parsePath(text) ?? []);
    if (found === undefined) return [{ path: at, message: `'${text}' is not in the schema; correct the path or add the field` }];
    const type = found === 'open' ? 'unknown' : (found.type ?? 'int-or-string');
    if (type === 'string' || type === 'integer' || type === 'boolean') return [];
    return [{ path: at, message: `'${text}' is of type ${type}; only string, integer and boolean fields are selectable` }];
  });
  if (selectableFields.length <= MAX_SELECTABLE_FIELDS) return problems;
  return [
    ...problems,
    {
      path: `${path}.selectableFields`,
      message: `has ${selectableFields.length} fields; the API server takes at most ${MAX_SELECTABLE_FIELDS}`,
    },
  ];
}

function deprecationProblems({ deprecationWarning }: CustomResourceVersionModel, path: string): Problem[] {
  if (deprecationWarning === undefined) return [];
  const at = `${path}.deprecated`;
  const bytes = new TextEncoder().encode(deprecationWarning).length;
  if (deprecationWarning === '') return [{ path: at, message: 'is an empty text; write true, and the API server words the warning' }];
  if (bytes > MAX_DEPRECATION_WARNING)
    return [{ path: at, message: `is ${bytes} bytes long; the API server takes at most ${MAX_DEPRECATION_WARNING}` }];
  // It travels in an HTTP Warning header.
  return /\p{C}/u.test(deprecationWarning)
    ? [{ path: at, message: 'holds a line break or another unprintable character; write one line' }]
    : [];
}
