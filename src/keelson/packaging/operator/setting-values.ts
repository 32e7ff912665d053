import { isRecord, type Json } from '@keelson/kubernetes/apimachinery';
import { z } from 'zod';
import {
  type NumberBounds,
  type OperatorModel,
  type SettingField,
  type SettingsModel,
  type SettingsValues,
  settingsModelsOf,
} from '../../definition/index.js';
import { PackageError } from '../errors.js';

/** Values by the names of settings. */
type Given = Readonly<Record<string, Json>>;

/**
 * The settings of an operator as values of its chart. A secret is the name of a Secret and a key in it.
 *
 * @param defaults over those of the settings
 * @throws PackageError for two settings of one name
 */
export function settingValues(operator: OperatorModel, defaults: Given): z.ZodObject {
  const fields = settingsModelsOf(operator).flatMap((model) => model.fields);
  const twice = fields.find(({ name }, index) => fields.findIndex((other) => other.name === name) < index);
  if (twice !== undefined) {
    const variables = fields.filter(({ name }) => name === twice.name).map(({ variable }) => variable);
    throw new PackageError(
      `settings.${twice.name}: ${variables.join(' and ')} would be one value of the chart; rename one of the settings`,
    );
  }
  return z.object(
    Object.fromEntries(
      fields.flatMap((field) => {
        const schema = settingValue(field, defaults[field.name] ?? field.byDefault);
        return schema === undefined ? [] : [[field.name, schema] as const];
      }),
    ),
  );
}

/** A setting in JSON, and a number or boolean without default, are left to `env`: texts would have to be computed, and there is no empty number. */
function settingValue(
  { isSecret, type, choices, bounds, description = '', name }: SettingField,
  byDefault: unknown,
): z.ZodType | undefined {
  if (isSecret) {
    return z.object({
      secretName: z.string().default('').describe(`Secret that holds ${name}. ${description}`.trim()),
      secretKey: z.string().min(1).default(name).describe('Its key.'),
    });
  }
  if (type === 'text') {
    const text = typeof byDefault === 'string' ? byDefault : '';
    const schema = choices === undefined ? z.string() : z.enum(text === '' ? ['', ...choices] : choices);
    return schema.default(text).describe(description);
  }
  if (type === 'number' && typeof byDefault === 'number') return numberValue(bounds).default(byDefault).describe(description);
  if (type === 'boolean' && typeof byDefault === 'boolean') return z.boolean().default(byDefault).describe(description);
  return undefined;
}

function numberValue({ isInteger, minimum, exclusiveMinimum, maximum, exclusiveMaximum }: NumberBounds = {}): z.ZodNumber {
  let schema: z.ZodNumber = isInteger === true ? z.int() : z.number();
  if (minimum !== undefined) schema = schema.min(minimum);
  if (exclusiveMinimum !== undefined) schema = schema.gt(exclusiveMinimum);
  if (maximum !== undefined) schema = schema.max(maximum);
  return exclusiveMaximum === undefined ? schema : schema.lt(exclusiveMaximum);
}

/**
 * The settings of the `Operator` from the values of the chart. An empty text is left out, and so is a secret without a name.
 *
 * @param defaults given while a chart is learned, from numbers that no bounds allow: the defaults are checked in their place, and the chart's schema has the bounds
 */
export function settingsFrom(operator: OperatorModel, given: Given, defaults?: Given): readonly SettingsValues[] {
  return settingsModelsOf(operator).map((settings) => ({
    settings,
    checkedAs: defaults === undefined ? undefined : boundedDefaults(settings, defaults),
    values: Object.fromEntries(
      settings.fields.flatMap(({ name, isSecret }): (readonly [string, unknown])[] => {
        const value = given[name];
        if (value === undefined || value === '') return [];
        if (!isSecret || !isRecord(value)) return [[name, value]];
        return value['secretName'] === ''
          ? []
          : [[name, { valueFrom: { secretKeyRef: { name: value['secretName'], key: value['secretKey'] } } }]];
      }),
    ),
  }));
}

function boundedDefaults({ fields }: SettingsModel, defaults: Given): Given {
  const bounded = fields.filter(({ bounds }) => bounds !== undefined);
  return Object.fromEntries(bounded.map(({ name, byDefault }) => [name, defaults[name] ?? byDefault] as const).filter(isGiven));
}

function isGiven(entry: readonly [string, Json | undefined]): entry is readonly [string, Json] {
  return entry[1] !== undefined;
}

/** Settings that must be given, and that the values do not give by default. */
export function settingsWithoutDefault(operator: OperatorModel, defaults: Given): readonly string[] {
  const fields = settingsModelsOf(operator).flatMap((model) => model.fields);
  return fields.filter(({ name, isRequired }) => isRequired && defaults[name] === undefined).map(({ name }) => name);
}
