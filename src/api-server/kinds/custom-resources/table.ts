import { humanDuration, type Json } from '@keelson/kubernetes/apimachinery';
import { isObject, type JsonObject, type TableColumn, type TableConvertor } from '../../contract/index.js';
import { parseTime } from '../../values/index.js';
import type { Columns } from './crd/index.js';
import { findByPath, JsonPathError, type PathNode, parseJsonPath, printed } from './json-path/index.js';

const AGE: Columns[number] = {
  name: 'Age',
  type: 'date',
  description: 'Time since the object was created.',
  jsonPath: '.metadata.creationTimestamp',
};

interface Cell {
  readonly type: string;
  readonly path: readonly PathNode[];
}

/**
 * The printer columns of a version; the age without any. A path that cannot be read ends the columns. Name and age, which are not the definition's,
 * are described in words of our own.
 *
 * Source: apiextensions-apiserver, `pkg/registry/customresource/tableconvertor`.
 */
export function columnTable(columns: Columns): TableConvertor {
  const headers: TableColumn[] = [{ name: 'Name', type: 'string', format: 'name', description: 'Name of the object.', priority: 0 }];
  const cells: Cell[] = [];
  for (const column of columns.length === 0 ? [AGE] : columns) {
    const { name, type, format = '', description = '', priority = 0, jsonPath } = column;
    const path = readablePath(jsonPath);
    if (path === undefined) break;
    const text = description === '' ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description;
    headers.push({ name, type, format, description: text, priority });
    cells.push({ type, path });
  }
  return {
    columns: headers,
    cells: (object, now) => [nameOf(object), ...cells.map((cell) => cellOf(cell, object, now))],
  };
}

function readablePath(text: string): readonly PathNode[] | undefined {
  try {
    return parseJsonPath(text);
  } catch (error) {
    if (JsonPathError.isJsonPathError(error)) return undefined;
    throw error;
  }
}

function nameOf({ metadata }: JsonObject): string {
  const name = isObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

/** Only the first value is shown; a path that does not fit the object shows nothing. */
function cellOf({ type, path }: Cell, object: JsonObject, now: Date): Json {
  const found = firstOf(path, object);
  if (found === undefined) return null;
  if (type === 'string') return printed(found);
  return found === null ? null : typedCell(type, found, now);
}

function firstOf(path: readonly PathNode[], object: JsonObject): Json | undefined {
  try {
    return findByPath(path, object)[0];
  } catch (error) {
    if (JsonPathError.isJsonPathError(error)) return undefined;
    throw error;
  }
}

function typedCell(type: string, value: Json, now: Date): Json {
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageOf(value, now) : null;
    default:
      return null;
  }
}

function ageOf(text: string, now: Date): string {
  if (text === '' || text === 'null') return '<unknown>';
  const time = parseTime(text, 'seconds');
  return typeof time === 'string' ? '<invalid>' : humanDuration(now.getTime() - time.seconds * 1000);
}

/** Values of fields by which lists may be narrowed: paths without their leading dot. */
export function selectableField(jsonPath: string): readonly [name: string, value: (object: JsonObject) => string] {
  const path = readablePath(jsonPath) ?? [];
  return [
    jsonPath.replace(/^\./, ''),
    (object) => {
      const found = firstOf(path, object);
      return found === undefined || found === null ? '' : printed(found);
    },
  ];
}
