import { isRecord, type Json } from '@keelson/kubernetes/apimachinery';
import { stringify } from 'yaml';
import type { JsonSchema, ValueLeaf, ValueModel } from '../values/index.js';

/** `values.yaml`: each value with its default, and what it means above it. */
export function valuesText({ schema, leaves }: ValueModel): string {
  return `${groupLines(schema, leaves, []).join('\n')}\n`.replace(/^\n+/, '');
}

function groupLines(schema: JsonSchema, leaves: readonly ValueLeaf[], path: readonly string[]): string[] {
  const indent = '  '.repeat(path.length);
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const here = [...path, key];
    const leaf = leaves.find(({ name }) => name === here.join('.'));
    const comment = commentLines(property, indent);
    const space = path.length === 0 ? [''] : [];
    if (leaf === undefined) return [...space, ...comment, `${indent}${key}:`, ...groupLines(property, leaves, here)];
    const text = stringify({ [key]: leaf.byDefault }, { version: '1.1', lineWidth: 0 }).replace(/\n$/, '');
    return [...space, ...comment, ...text.split('\n').map((line) => (line === '' ? line : `${indent}${line}`))];
  });
}

function commentLines({ description = '', enum: options }: JsonSchema, indent: string): string[] {
  const text = options === undefined ? description : `${description} One of ${options.map(String).join(', ')}.`.trim();
  return text === '' ? [] : text.split('\n').map((line) => `${indent}# ${line}`.trimEnd());
}

/**
 * `values.schema.json`: an unknown value is refused, at every depth where the fields are declared. Helm hands `global` to every chart, and parent charts
 * write `enabled` among the values of a subchart, as its condition.
 *
 * @param parts names of subcharts: Helm writes `global` among their values too, before it looks at the parent's schema
 */
export function valuesSchemaText({ schema }: ValueModel, parts: Iterable<string> = []): string {
  const closed = strict(schema) as Readonly<Record<string, Json>>;
  const own = closed['properties'] as Readonly<Record<string, Json>>;
  const forParts = [...parts].map((part) => {
    const group = own[part] as { readonly properties: object };
    return [part, { ...group, properties: { ...group.properties, global: GLOBAL } }] as const;
  });
  const properties = {
    enabled: { type: 'boolean', description: 'For a parent chart that has this one as a condition of its own.' },
    ...own,
    ...Object.fromEntries(forParts),
    global: GLOBAL,
  };
  return `${JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', ...closed, properties }, null, 2)}\n`;
}

const GLOBAL = { type: 'object', description: 'Values that Helm hands to all charts.' };

/** No value is required: Helm joins what is given with the defaults before it looks. */
function strict(schema: JsonSchema): Json {
  const { $schema: _schema, required: _required, properties, examples: _examples, ...rest } = schema;
  if (properties === undefined || schema.type !== 'object') return rest as unknown as Json;
  const open = rest['additionalProperties'] ?? false;
  return {
    ...(rest as Record<string, Json>),
    properties: Object.fromEntries(Object.entries(properties).map(([key, property]) => [key, strict(property)])),
    ...(Object.keys(properties).length === 0 ? {} : { additionalProperties: open as Json }),
  };
}

/** The rows of a table of all values, in Markdown. */
export function valuesTable({ leaves }: ValueModel): string {
  const rows = leaves.map(({ name, schema, byDefault, options }) => {
    const meaning = schema.description ?? '';
    const choices =
      options.length === 0 || typeof options[0] === 'boolean'
        ? ''
        : ` One of ${options.map((option) => `\`${String(option)}\``).join(', ')}.`;
    return `| \`${name}\` | ${defaultText(byDefault)} | ${`${meaning}${choices}`.trim().replaceAll('|', '\\|')} |`;
  });
  return ['| value | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

function defaultText(value: Json): string {
  if (value === '') return '';
  const text = isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
  return `\`${text.replaceAll('|', '\\|')}\``;
}
