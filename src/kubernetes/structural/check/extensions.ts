import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  type StructuralSchema,
  type ValidationRule,
} from '../../apimachinery/index.js';
import { resolveFieldPath } from '../../cel/index.js';

/** The variables for the rules of one node, as the walk down the schema found them. */
export interface NodeContext {
  readonly path: string;
  readonly insideMeta: boolean;
  /** Why a default may not stand here. */
  readonly noDefaults?: string | undefined;
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const UNSUPPORTED = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];

/**
 * apiextensions' demands on each node beside structure: list and map types, keys, rules' form.
 *
 * Source: apiextensions-apiserver, `pkg/apis/apiextensions/validation/validation.go`, `ValidateCustomResourceDefinitionOpenAPISchema`.
 */
export function nodeErrors(schema: StructuralSchema, { path, insideMeta, noDefaults }: NodeContext): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.type !== undefined && !TYPES.includes(schema.type)) errors.push(notSupported(`${path}.type`, schema.type, TYPES));
  if (schema.default !== undefined && schema.default !== null && noDefaults !== undefined)
    errors.push(forbidden(`${path}.default`, `must not be set ${noDefaults}`));
  for (const key of UNSUPPORTED) {
    if (Object.hasOwn(schema, key)) errors.push(forbidden(`${path}.${key}`, `${key} is not supported`));
  }
  if (insideMeta && schema['x-kubernetes-embedded-resource'] === true) {
    errors.push(forbidden(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'));
  }
  if (schema.uniqueItems === true) {
    errors.push(forbidden(`${path}.uniqueItems`, 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'));
  }
  const { additionalProperties } = schema;
  if (additionalProperties !== undefined && additionalProperties !== true && Object.keys(schema.properties ?? {}).length > 0) {
    errors.push(forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'));
  }
  return [
    ...errors,
    ...preserveErrors(schema, path),
    ...mapTypeErrors(schema, path),
    ...listTypeErrors(schema, path),
    ...ruleFormErrors(schema, path),
  ];
}

function preserveErrors(schema: StructuralSchema, path: string): FieldError[] {
  const preserve: unknown = schema['x-kubernetes-preserve-unknown-fields'];
  return preserve === false ? [invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined')] : [];
}

function typeMustBe(type: 'object' | 'array', keyword: string, { schema, path }: { schema: StructuralSchema; path: string }): FieldError[] {
  if (schema.type === type) return [];
  const text = `must be ${type} if ${keyword} is specified`;
  return [schema.type === undefined ? required(`${path}.type`, text) : invalid(`${path}.type`, schema.type, text)];
}

function mapTypeErrors(schema: StructuralSchema, path: string): FieldError[] {
  const type: string | undefined = schema['x-kubernetes-map-type'];
  if (type === undefined) return [];
  const known = type === 'atomic' || type === 'granular';
  return [
    ...typeMustBe('object', 'x-kubernetes-map-type', { schema, path }),
    ...(known ? [] : [notSupported(`${path}.x-kubernetes-map-type`, type, ['atomic', 'granular'])]),
  ];
}

function listTypeErrors(schema: StructuralSchema, path: string): FieldError[] {
  const type: string | undefined = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const errors: FieldError[] = [];
  if (type !== undefined && schema.type !== 'array') errors.push(...typeMustBe('array', 'x-kubernetes-list-type', { schema, path }));
  else if (type === 'set' && schema.items !== undefined) errors.push(...setItemErrors(schema.items, path));
  if (type !== undefined && !['atomic', 'set', 'map'].includes(type))
    errors.push(notSupported(`${path}.x-kubernetes-list-type`, type, ['atomic', 'set', 'map']));
  if (keys.length > 0 && type !== 'map') {
    const text = 'must be map if x-kubernetes-list-map-keys is non-empty';
    errors.push(
      type === undefined ? required(`${path}.x-kubernetes-list-type`, text) : invalid(`${path}.x-kubernetes-list-type`, type, text),
    );
  }
  if (type === 'map') errors.push(...listMapErrors(schema, keys, path));
  if ((type === 'set' || type === 'map') && schema.items?.nullable === true) {
    errors.push(forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${type}`));
  }
  return errors;
}

/** The reported value is the item's list type, which is missing for objects: the server's own slip. */
function setItemErrors(items: StructuralSchema, path: string): FieldError[] {
  const listType = items['x-kubernetes-list-type'];
  const text = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic')
    return [invalid(`${path}.items.x-kubernetes-list-type`, listType, text)];
  return items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic'
    ? [invalid(`${path}.items.x-kubernetes-map-type`, listType, text)]
    : [];
}

function listMapErrors({ items }: StructuralSchema, keys: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (keys.length === 0) errors.push(required(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map'));
  if (items === undefined) return [...errors, required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map')];
  if (items.type !== 'object') {
    return [...errors, invalid(`${path}.items.type`, items.type ?? '', "must be object if parent array's x-kubernetes-list-type is map")];
  }
  for (const [index, key] of keys.entries()) {
    const property = items.properties?.[key];
    const at = `${path}.items.properties[${key}]`;
    if (property === undefined)
      errors.push(invalid(`${path}.x-kubernetes-list-map-keys`, keys, 'entries must all be names of item properties'));
    else if (property.type === 'array' || property.type === 'object') {
      errors.push(invalid(`${at}.type`, items.type, "must be a scalar type if parent array's x-kubernetes-list-type is map"));
    }
    if (keys.indexOf(key) !== index) errors.push(invalid(`${path}.x-kubernetes-list-map-keys`, keys, 'must not contain duplicate entries'));
  }
  return [...errors, ...keys.flatMap((key) => keyErrors(items, key, path))];
}

function keyErrors(items: StructuralSchema, key: string, path: string): FieldError[] {
  const property = items.properties?.[key];
  if (property === undefined) return [];
  const at = `${path}.items.properties[${key}]`;
  const absent = items.required?.includes(key) !== true && (property.default ?? null) === null;
  const text = 'this property is in x-kubernetes-list-map-keys, so it';
  return [
    ...(absent ? [required(`${at}.default`, `${text} must have a default or be a required property`)] : []),
    ...(property.nullable === true ? [forbidden(`${at}.nullable`, `${text} cannot be nullable`)] : []),
  ];
}

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** The form of rules; whether they compile is another question. */
function ruleFormErrors(schema: StructuralSchema, path: string): FieldError[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) => {
    const at = `${path}.x-kubernetes-validations[${index}]`;
    return [...textErrors(rule, at), ...optionErrors(rule, at), ...fieldPathErrors(schema, rule, at)];
  });
}

function textErrors({ rule, message }: ValidationRule, at: string): FieldError[] {
  const text = message?.trim() ?? '';
  if (rule.trim() === '') return [required(`${at}.rule`, 'rule is not specified')];
  if (message !== undefined && message !== '' && text === '') return [invalid(`${at}.message`, message, 'must be non-empty if specified')];
  if (/[\n\r]/.test(text)) return [invalid(`${at}.message`, message, 'must not contain line breaks')];
  return /[\n\r]/.test(rule.trim()) && text === ''
    ? [required(`${at}.message`, 'message must be specified if rule contains line breaks')]
    : [];
}

function optionErrors({ messageExpression, reason }: ValidationRule, at: string): FieldError[] {
  const errors: FieldError[] = [];
  if (messageExpression !== undefined && messageExpression !== '' && messageExpression.trim() === '') {
    errors.push(required(`${at}.messageExpression`, 'messageExpression must be non-empty if specified'));
  }
  if (reason !== undefined && !REASONS.includes(reason)) errors.push(notSupported(`${at}.reason`, reason, REASONS));
  return errors;
}

function fieldPathErrors(schema: StructuralSchema, { fieldPath }: ValidationRule, at: string): FieldError[] {
  if (fieldPath === undefined || fieldPath === '') return [];
  const errors: FieldError[] = [];
  if (fieldPath.trim() === '') errors.push(invalid(`${at}.fieldPath`, fieldPath, 'must be non-empty if specified'));
  if (/[\n\r]/.test(fieldPath)) errors.push(invalid(`${at}.fieldPath`, fieldPath, 'must not contain line breaks'));
  if (resolveFieldPath(fieldPath, schema) === undefined) errors.push(invalid(`${at}.fieldPath`, fieldPath, 'must be a valid path'));
  return errors;
}
