import { k, type ZodLike } from 'keelson/internal/schema';
import { z } from 'zod';
import { propertyName, quote } from '../generate/index.js';

/** An expression as TypeScript and as its value: the value proves what the text will say in the CRD. */
export interface Written {
  readonly text: string;
  readonly schema: ZodLike;
  /** The schema with a text in place of each field, which is proven by itself: a proof of each level would convert what is below once for each level above. */
  readonly outline?: ZodLike | undefined;
}

/** A field of an object, and what stands for it in the outline. */
export interface WrittenField {
  readonly name: string;
  readonly field: Written;
  readonly outline: ZodLike;
}

/** Text that stands for itself among arguments. */
export interface Source {
  readonly text: string;
  readonly value: unknown;
}

type Argument = Written | Source | Literal;
type Literal = string | number | boolean | null | readonly unknown[] | { readonly [name: string]: unknown };

const LIBRARIES = { z, k } as unknown as Readonly<Record<'z' | 'k', Readonly<Record<string, (...args: unknown[]) => unknown>>>>;

/** `call('k', 'listMap', item, 'name')`. */
export function call(library: 'z' | 'k', name: string, ...args: readonly Argument[]): Written {
  const made = (values: readonly unknown[]): ZodLike => LIBRARIES[library][name]?.(...values) as ZodLike;
  const text = `${library}.${name}(${args.map(textOf).join(', ')})`;
  const schema = made(args.map(valueOfArgument));
  return args.some(hasOutline) ? { text, schema, outline: made(args.map(outlineOfArgument)) } : { text, schema };
}

/** `method(string, 'min', 1)`: the expression with `.min(1)` behind it. */
export function method(target: Written, name: string, ...args: readonly Argument[]): Written {
  const values = args.map(valueOfArgument);
  const called = (schema: ZodLike): ZodLike =>
    (schema as unknown as Readonly<Record<string, (...values: unknown[]) => unknown>>)[name]?.(...values) as ZodLike;
  return {
    text: `${target.text}.${name}(${args.map(textOf).join(', ')})`,
    schema: called(target.schema),
    ...(target.outline === undefined ? {} : { outline: called(target.outline) }),
  };
}

/** `z.object({ … })`. */
export function objectOf(fields: readonly WrittenField[]): Written {
  const made = (part: (field: WrittenField) => ZodLike): ZodLike =>
    z.object(Object.fromEntries(fields.map((field) => [field.name, part(field)])) as unknown as z.ZodRawShape);
  if (fields.length === 0) return { text: 'z.object({})', schema: z.object({}) };
  return {
    text: `z.object({\n${fields.map(({ name, field }) => `${indented(`${propertyName(name)}: ${field.text},`)}\n`).join('')}})`,
    schema: made(({ field }) => field.schema),
    outline: made(({ outline }) => outline),
  };
}

/** JSON as a TypeScript literal. */
export function literal(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([name, field]) => `${propertyName(name)}: ${literal(field)}`);
  const line = `{ ${fields.join(', ')} }`;
  if (fields.length === 0) return '{}';
  return line.length <= LINE && !line.includes('\n') ? line : `{\n${fields.map((field) => `${indented(field)},\n`).join('')}}`;
}

/** Beyond it an object takes a line for each field. */
const LINE = 100;

/** Two spaces before each line but those inside a template; no text of ours has one. */
export function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}

const isWritten = (argument: Argument): argument is Written =>
  typeof argument === 'object' && argument !== null && 'schema' in argument && 'text' in argument;
const isSource = (argument: Argument): argument is Source =>
  typeof argument === 'object' && argument !== null && 'value' in argument && 'text' in argument;

function valueOfArgument(argument: Argument): unknown {
  if (isWritten(argument)) return argument.schema;
  return isSource(argument) ? argument.value : argument;
}

const hasOutline = (argument: Argument): boolean => isWritten(argument) && argument.outline !== undefined;
const outlineOfArgument = (argument: Argument): unknown =>
  isWritten(argument) ? (argument.outline ?? argument.schema) : valueOfArgument(argument);

function textOf(argument: Argument): string {
  return isWritten(argument) || isSource(argument) ? argument.text : literal(argument);
}
