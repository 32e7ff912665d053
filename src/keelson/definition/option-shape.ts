import { isRecord, type KindInfo, LABEL_KEY, LABEL_VALUE, obeys } from '@keelson/kubernetes/apimachinery';
import { DefinitionError, type Problem } from './errors.js';

/**
 * The form of an option, checked before its value is read: code without types, or with a cast, can pass anything.
 *
 * `undefined` passes every shape but a {@link required} one, as an option that is left out.
 */
export type Shape = (value: unknown, path: string) => readonly Problem[];

const LONGEST_SHOWN = 80;

/** A value of any sort in a message, in short. Never throws: a symbol or an object without a prototype has no text of its own. */
export function shown(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length > LONGEST_SHOWN ? `'${value.slice(0, LONGEST_SHOWN)}…'` : `'${value}'`;
    case 'function':
      return 'a function';
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
    default:
      return String(value);
  }
}

/** Names a definition in the head of its message: its own name may be of any sort yet. */
export function nameOr(definition: unknown, key: string, otherwise: string): string {
  const named = (typeof definition === 'object' && definition !== null) || typeof definition === 'function';
  const name = named ? (definition as Readonly<Record<string, unknown>>)[key] : undefined;
  return typeof name === 'string' && name !== '' ? name.slice(0, LONGEST_SHOWN) : otherwise;
}

/** @throws DefinitionError when options have not the form that their types ask for. */
export function mustHaveShape(subject: string, options: unknown, shape: Shape): void {
  const problems = shape(options, '');
  if (problems.length > 0) throw new DefinitionError(subject, problems);
}

const refuse = (path: string, message: string): readonly Problem[] => [{ path: path === '' ? 'the options' : path, message }];

function primitive(type: 'string' | 'number' | 'boolean', wanted: string): Shape {
  return (value, path) => (value === undefined || typeof value === type ? [] : refuse(path, `is ${shown(value)}; write ${wanted}`));
}

export const text: Shape = primitive('string', 'a text');
export const flag: Shape = primitive('boolean', 'true or false');
export const count: Shape = primitive('number', 'a number');
export const anything: Shape = () => [];

/** @param takes what the function takes, for example `the context` */
export function callback(takes: string): Shape {
  return (value, path) =>
    value === undefined || typeof value === 'function' ? [] : refuse(path, `is not a function; write one that takes ${takes}`);
}

export function required(shape: Shape, hint: string): Shape {
  return (value, path) => (value === undefined ? refuse(path, `is missing; ${hint}`) : shape(value, path));
}

export function either(first: Shape, second: Shape, hint: string): Shape {
  return (value, path) => {
    const problems = second(value, path);
    if (problems.length === 0 || first(value, path).length === 0) return [];
    // These problems name the option that is wrong.
    return problems.every((problem) => problem.path.startsWith(`${path}.`)) ? problems : refuse(path, `is ${shown(value)}; write ${hint}`);
  };
}

export function choice(...choices: readonly string[]): Shape {
  const listed = choices.map((known) => `'${known}'`);
  const wanted = listed.length < 3 ? listed.join(' or ') : `one of ${listed.join(', ')}`;
  return (value, path) =>
    value === undefined || choices.includes(value as string) ? [] : refuse(path, `${shown(value)} is unknown; write ${wanted}`);
}

export function listOf(shape: Shape): Shape {
  return (value, path) => {
    if (value === undefined) return [];
    if (!Array.isArray(value)) return refuse(path, `is ${shown(value)}; write a list: [ ... ]`);
    // Array.from: a sparse list has holes that `flatMap` would leave out.
    return Array.from(value as readonly unknown[]).flatMap((item, index) => {
      const at = `${path}[${index}]`;
      return item === undefined ? refuse(at, 'is undefined; leave it out') : shape(item, at);
    });
  };
}

export function mapOf(shape: Shape): Shape {
  return (value, path) => {
    if (value === undefined) return [];
    if (!isRecord(value)) return refuse(path, `is ${shown(value)}; write an object: { name: ... }`);
    return Object.entries(value).flatMap(([name, item]) => {
      const at = path === '' ? name : `${path}.${name}`;
      return item === undefined ? refuse(at, 'is undefined; leave it out') : shape(item, at);
    });
  };
}

/** An object with known properties and no others. @param what what it is, for example `an option of a controller` */
export function record(properties: Readonly<Record<string, Shape>>, what: string): Shape {
  const known = Object.keys(properties);
  return (value, path) => {
    if (value === undefined && path !== '') return [];
    if (!isRecord(value)) return refuse(path, `is ${shown(value)}; write an object with ${known.join(', ')}`);
    const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
    return [
      ...Object.keys(value)
        .filter((name) => !known.includes(name))
        .map((name) => ({ path: at(name), message: `is ${what}; known are ${known.join(', ')}` })),
      ...Object.entries(properties).flatMap(([name, shape]) => shape(value[name], at(name))),
    ];
  };
}

export function isKind(kind: unknown): kind is KindInfo {
  if ((typeof kind !== 'object' && typeof kind !== 'function') || kind === null) return false;
  const { group, version, kind: name, plural, scope, subresources } = kind as Partial<KindInfo>;
  const named = [group, version, name, plural].every((part) => typeof part === 'string');
  return named && (scope === 'Namespaced' || scope === 'Cluster') && Array.isArray(subresources);
}

const labelMap: Shape = (value, path) => {
  const problems = mapOf(text)(value, path);
  if (problems.length > 0 || value === undefined) return problems;
  return Object.entries(value as Readonly<Record<string, string>>).flatMap(([key, label]) => [
    ...(obeys(LABEL_KEY, key) ? [] : refuse(path, `'${key}' must be ${LABEL_KEY.says}`)),
    ...(obeys(LABEL_VALUE, label) ? [] : refuse(`${path}.${key}`, `'${label}' must be ${LABEL_VALUE.says}`)),
  ]);
};

const requirementForm = record(
  {
    key: required(text, 'name the label'),
    operator: required(choice('In', 'NotIn', 'Exists', 'DoesNotExist'), "write 'In', 'NotIn', 'Exists' or 'DoesNotExist'"),
    values: listOf(text),
  },
  'not part of a requirement on a label',
);

const requirement: Shape = (value, path) => {
  const problems = requirementForm(value, path);
  if (problems.length > 0) return problems;
  const { key, operator, values = [] } = value as { readonly key: string; readonly operator: string; readonly values?: readonly string[] };
  if (!obeys(LABEL_KEY, key)) return refuse(`${path}.key`, `'${key}' must be ${LABEL_KEY.says}`);
  if (operator.endsWith('In') && values.length === 0) return refuse(`${path}.values`, `is empty; ${operator} needs at least one value`);
  if (operator.endsWith('In')) {
    const wrong = values.find((label) => !obeys(LABEL_VALUE, label));
    return wrong === undefined ? [] : refuse(`${path}.values`, `'${wrong}' must be ${LABEL_VALUE.says}`);
  }
  return values.length === 0 ? [] : refuse(`${path}.values`, `has entries; ${operator} takes none`);
};

/** As the API server checks a LabelSelector. */
export const labelSelector: Shape = record(
  { matchLabels: labelMap, matchExpressions: listOf(requirement) },
  'not part of a label selector',
);

const labelParts = { labels: labelMap, labelSelector };

/** A selection by the labels alone that an object must have. */
export const labelSelection: Shape = record({ labels: required(labelMap, 'name the labels') }, 'not part of a selection of children');

/** The object selection of policies. */
export const objectSelection: Shape = record(labelParts, 'not part of a selection');

/** The same of webhooks, which may follow the selector of their installation. */
export const webhookSelection: Shape = record({ ...labelParts, ofInstance: flag }, 'not part of a selection');

/** The object selection of the kind that a controller is for. */
export const primarySelection: Shape = record({ ...labelParts, fields: mapOf(text) }, 'not part of a selection');

/** The object selection of watches. */
export const selection: Shape = record({ ...labelParts, fields: mapOf(text), namespaces: listOf(text) }, 'not part of a selection');
