import { isRecord, OperatorError } from '@keelson/kubernetes/apimachinery';
import { DefinitionError, type Problem } from '../errors.js';
import type { SettingField, SettingsModel } from '../model.js';
import { callback, isKind, listOf, record, shown, text } from '../option-shape.js';
import { numberBoundsOf } from './number-bounds.js';
import type { Use, UsesMap } from './uses.js';

/** Settings with values, for the manifests and for tests. Opaque: made by `values` of {@link Settings}. */
export interface SettingsValues {
  readonly settings: SettingsModel;
  readonly values: Readonly<Record<string, unknown>>;
  /** Values that are checked in place of those given, while a chart is learned from numbers that stand for any other. */
  readonly checkedAs?: Readonly<Record<string, unknown>> | undefined;
}

/** A setting whose value comes from elsewhere, as a container's `env` has it. */
export interface SettingSource {
  readonly valueFrom: unknown;
}

/** Declared settings. `T` is what functions have; `TInput` what may be given, with `TSecret` from Secrets alone in manifests. */
export interface Settings<out T, in TInput = T> extends Use<T>, SettingsModel {
  readonly sort: 'settings';
  /** Gives values; what is left out has its default, or comes from the environment that the pod has otherwise. */
  values(given: { readonly [N in keyof TInput]?: TInput[N] | SettingSource | undefined }): SettingsValues;
}

/** A `z.object`, as a type parameter sees it. */
interface SettingsSchema {
  readonly _zod: { readonly def: { readonly type: 'object' }; readonly input: object; readonly output: object };
}

export interface SettingsOptions<TName extends string> {
  /**
   * First part of the names of all variables: with `ETCD_` the setting `defaultImage` is `ETCD_DEFAULT_IMAGE`.
   * @defaultValue none: `DEFAULT_IMAGE`
   */
  readonly prefix?: string | undefined;
  /**
   * Settings that are secrets: no manifest holds their values, and no message shows them.
   * @defaultValue none
   */
  readonly secret?: readonly TName[] | undefined;
}

/** Settings of the environment cannot be used. */
export class SettingsError extends OperatorError {
  override readonly actor = 'admin';
  override readonly code = 'KEELSON_SETTINGS';
}

interface Node {
  readonly _zod: { readonly def: Readonly<Record<string, unknown>> & { readonly type: string } };
  readonly description?: string | undefined;
}

const WRAPPERS: readonly string[] = ['default', 'prefault', 'optional', 'nullable', 'readonly', 'catch', 'nonoptional'];
const TYPES: Readonly<Record<string, SettingField['type']>> = {
  string: 'text',
  template_literal: 'text',
  number: 'number',
  int: 'number',
  boolean: 'boolean',
};
const VARIABLE = /^[A-Z_][A-Z0-9_]*$/;
const TAKEN = /^(KEELSON_|KUBERNETES_|OTEL_|NODE_)|^(POD_NAME|POD_NAMESPACE|KUBECONFIG|PATH|HOME|HOSTNAME|TMPDIR)$/;
const SHAPE = record({ prefix: text, secret: listOf(text) }, 'not an option of settings');

/**
 * Declares settings of the operator, for `uses`: each is an environment variable of the Deployment, checked when the process starts.
 *
 * @example
 * ```ts
 * export const config = settings(z.object({ defaultImage: z.string().default('memcached:1.6'), workers: z.number().default(2) }));
 * const controller = defineController({
 *   name: 'memcached',
 *   for: Memcached,
 *   uses: { config },
 *   reconcile: async ({ config, done }) => done({ requeueAfter: config.workers * 1_000 }),
 * });
 * ```
 *
 * Texts are taken as they are, numbers and booleans are read, and everything else is JSON. An empty variable counts as left out.
 *
 * @param schema a `z.object`; a field without default that is not optional must be given
 * @throws DefinitionError for what is not an object, and for names of variables that are taken
 */
export function settings<TSchema extends SettingsSchema>(
  schema: TSchema,
  options: SettingsOptions<Extract<keyof TSchema['_zod']['output'], string>> = {},
): Settings<
  TSchema['_zod']['output'] extends infer T ? { readonly [N in keyof T]: T[N] } : never,
  TSchema['_zod']['input'] extends infer I ? { readonly [N in keyof I]: I[N] } : never
> {
  const shape = shapeOf(schema);
  const problems = [...SHAPE(options, ''), ...(shape === undefined ? [{ path: 'schema', message: 'is not a z.object({ ... })' }] : [])];
  if (problems.length > 0 || shape === undefined) throw new DefinitionError('settings', problems);
  const fields = Object.entries(shape).map(([name, node]) => fieldOf(name, node, options));
  const wrong = fieldProblems(fields, options.secret ?? []);
  if (wrong.length > 0) throw new DefinitionError('settings', wrong);
  const model: SettingsModel = { sort: 'settings', fields: Object.freeze(fields), parse: (values) => parsed(schema, values) };
  const made = {
    ...model,
    values: (given: object): SettingsValues => Object.freeze({ settings: made, values: Object.freeze({ ...given }) }),
  };
  return Object.freeze(made) as never;
}

function shapeOf(schema: unknown): Readonly<Record<string, Node>> | undefined {
  const zod = isRecord(schema) && !isKind(schema) ? schema['_zod'] : undefined;
  const def = isRecord(zod) ? zod['def'] : undefined;
  return isRecord(def) && def['type'] === 'object' && isRecord(def['shape']) ? (def['shape'] as Readonly<Record<string, Node>>) : undefined;
}

function fieldOf(name: string, node: Node, { prefix = '', secret = [] }: SettingsOptions<string>): SettingField {
  let inner = node;
  let isRequired = true;
  let byDefault: unknown;
  while (WRAPPERS.includes(inner._zod.def.type)) {
    const { def } = inner._zod;
    if (def.type !== 'nullable' && def.type !== 'readonly' && def.type !== 'nonoptional') isRequired = false;
    if (def.type === 'default' || def.type === 'prefault') byDefault ??= def['defaultValue'];
    inner = def['innerType'] as Node;
  }
  const description = node.description ?? inner.description;
  const choices = choicesOf(inner);
  const bounds = inner._zod.def.type === 'number' ? numberBoundsOf(inner) : undefined;
  return Object.freeze({
    name,
    variable: `${prefix}${name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()}`,
    type: choices === undefined ? typeOf(inner) : 'text',
    ...(choices === undefined ? {} : { choices }),
    ...(bounds === undefined ? {} : { bounds }),
    isRequired,
    isSecret: secret.includes(name),
    ...(byDefault === undefined ? {} : { byDefault: byDefault as never }),
    ...(description === undefined ? {} : { description }),
  });
}

function typeOf({ _zod: { def } }: Node): SettingField['type'] {
  // Enums and literals may hold values of any type; where all are texts, they are choices.
  return TYPES[def.type] ?? 'json';
}

/** The texts of an enum, and of literals that are texts. */
function choicesOf({ _zod: { def } }: Node): readonly string[] | undefined {
  const listed: readonly unknown[] | undefined =
    def.type === 'enum'
      ? Object.values(def['entries'] as object)
      : def.type === 'literal'
        ? (def['values'] as readonly unknown[])
        : undefined;
  return listed?.every((value) => typeof value === 'string') === true ? Object.freeze([...listed]) : undefined;
}

function fieldProblems(fields: readonly SettingField[], secrets: readonly string[]): Problem[] {
  return [
    ...fields.flatMap(({ name, variable }, index): Problem[] => {
      if (!VARIABLE.test(variable)) return [{ path: name, message: `makes the variable ${shown(variable)}; use letters and digits` }];
      if (TAKEN.test(variable))
        return [{ path: name, message: `makes the variable ${variable}, which is taken; choose another name, or a prefix` }];
      const earlier = fields.slice(0, index).find((other) => other.variable === variable);
      return earlier === undefined
        ? []
        : [{ path: name, message: `makes the variable ${variable}, as ${earlier.name} does; choose another name` }];
    }),
    ...secrets.flatMap((name) =>
      fields.some((field) => field.name === name) ? [] : [{ path: 'secret', message: `${shown(name)} is not a setting` }],
    ),
  ];
}

function parsed(schema: object, values: Readonly<Record<string, unknown>>): ReturnType<SettingsModel['parse']> {
  const { safeParse } = schema as {
    readonly safeParse: (value: unknown) => { readonly data?: unknown; readonly error?: { readonly issues: readonly Issue[] } };
  };
  const { data, error } = safeParse(values);
  if (error === undefined) return { value: data };
  return { problems: error.issues.map(({ path, message }) => ({ name: String(path[0] ?? ''), message: within(path, message) })) };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function within(path: readonly PropertyKey[], message: string): string {
  return path.length < 2 ? message : `at ${path.slice(1).map(String).join('.')}: ${message}`;
}

/**
 * The values of all settings in use, from an environment.
 *
 * @param given values that count instead of the environment's
 * @throws SettingsError naming each variable that cannot be used, and what it may hold
 */
export function settingsFrom(
  uses: UsesMap | Readonly<Record<string, object>>,
  environment: Readonly<Record<string, string | undefined>>,
  given: readonly SettingsValues[] = [],
): Readonly<Record<string, unknown>> {
  const problems: string[] = [];
  const found = Object.entries(uses).flatMap(([name, use]) => {
    if (!isSettings(use)) return [];
    const own = given.find(({ settings: of }) => of.fields === use.fields)?.values ?? {};
    const { values, unread } = readAll(use.fields, environment, own);
    const result = use.parse(values);
    const wrong = (result.problems ?? []).filter((problem) => !unread.some((other) => other.name === problem.name));
    problems.push(...[...unread, ...wrong].map(({ name: field, message }) => said(use.fields, field, { message, environment })));
    return [[name, result.value] as const];
  });
  if (problems.length > 0)
    throw new SettingsError(`settings cannot be used:\n${[...new Set(problems)].map((problem) => `  ${problem}`).join('\n')}`);
  return Object.fromEntries(found);
}

function said(
  fields: readonly SettingField[],
  name: string,
  { message, environment }: { readonly message: string; readonly environment: Readonly<Record<string, string | undefined>> },
): string {
  const field = fields.find((other) => other.name === name);
  if (field === undefined) return message;
  const value = environment[field.variable] ?? '';
  if (value === '') return `${field.variable} is not set: ${message}`;
  // A message may quote what it is about.
  return field.isSecret
    ? `${field.variable}: its value, a secret, is not usable`
    : `${field.variable}: ${shown(value)} is not usable: ${message}`;
}

interface Wrong {
  readonly name: string;
  readonly message: string;
}

function readAll(
  fields: readonly SettingField[],
  environment: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, unknown>>,
): { readonly values: Readonly<Record<string, unknown>>; readonly unread: readonly Wrong[] } {
  const unread: Wrong[] = [];
  const values = fields.flatMap((field): (readonly [string, unknown])[] => {
    const { name, variable } = field;
    if (own[name] !== undefined) return [[name, own[name]]];
    const value = environment[variable] ?? '';
    if (value === '') return [];
    const read = readText(value, field.type);
    if (read.message !== undefined) unread.push({ name, message: read.message });
    return [[name, read.value]];
  });
  return { values: Object.fromEntries(values), unread };
}

function readText(value: string, type: SettingField['type']): { readonly value?: unknown; readonly message?: string } {
  switch (type) {
    case 'text':
      return { value };
    case 'number':
      return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value) ? { value: Number(value) } : { message: 'write a number' };
    case 'boolean':
      return value === 'true' || value === 'false' ? { value: value === 'true' } : { message: 'write true or false' };
    case 'json':
      try {
        return { value: JSON.parse(value) as unknown };
      } catch {
        return { message: 'write JSON' };
      }
  }
}

/** The text of a value, as {@link settingsFrom} reads it. */
export function settingText(value: unknown, { type }: SettingField): string {
  return type === 'json' ? JSON.stringify(value) : String(value);
}

export function isSettings(use: unknown): use is SettingsModel {
  return isRecord(use) && use['sort'] === 'settings' && Array.isArray(use['fields']) && callback('')(use['parse'], '').length === 0;
}
