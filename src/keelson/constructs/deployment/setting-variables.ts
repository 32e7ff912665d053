import { isRecord } from '@keelson/kubernetes/apimachinery';
import type { Construct } from 'constructs';
import {
  type OperatorModel,
  type SettingField,
  type SettingsModel,
  type SettingsValues,
  settingsModelsOf,
  settingText,
} from '../../definition/index.js';
import { ConstructError } from '../object/index.js';

interface SettingVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: unknown;
}

export interface SettingVariablesProps {
  readonly settings?: readonly SettingsValues[] | undefined;
  /** Variables that are given otherwise. */
  readonly env?: Readonly<Record<string, unknown>> | undefined;
  readonly envFrom?: readonly unknown[] | undefined;
}

/**
 * The environment variables of an operator's settings.
 *
 * @throws ConstructError for a value that the schema refuses, a secret that stands in the manifest, a required setting that nothing gives, and settings that the
 * operator does not use
 */
export function settingVariables(scope: Construct, operator: OperatorModel, props: SettingVariablesProps): readonly SettingVariable[] {
  const used = settingsModelsOf(operator);
  const { settings: given = [] } = props;
  const stray = given.find(({ settings }) => !used.some(({ fields }) => fields === settings.fields));
  if (stray !== undefined)
    throw new ConstructError(
      scope,
      `settings: no part of the operator uses those of ${stray.settings.fields.map(({ name }) => name).join(', ')}; name them under uses`,
    );
  return used.flatMap((model) => variablesOf(scope, model, { ...valuesFor(scope, model, given), props }));
}

function valuesFor(scope: Construct, { fields }: SettingsModel, given: readonly SettingsValues[]): Omit<SettingsValues, 'settings'> {
  const meant = given.filter(({ settings }) => settings.fields === fields);
  if (meant.length > 1) throw new ConstructError(scope, `settings: those of ${fields.map(({ name }) => name).join(', ')} are given twice`);
  return meant[0] ?? { values: {} };
}

function variablesOf(
  scope: Construct,
  model: SettingsModel,
  { values, checkedAs = {}, props }: Omit<SettingsValues, 'settings'> & { readonly props: SettingVariablesProps },
): readonly SettingVariable[] {
  const unknown = Object.keys(values).find((name) => !model.fields.some((field) => field.name === name));
  if (unknown !== undefined) throw new ConstructError(scope, `settings.${unknown}: there is no such setting`);
  const isFromElsewhere = ({ name, variable }: SettingField): boolean =>
    isSource(values[name]) || Object.hasOwn(props.env ?? {}, variable) || (props.envFrom ?? []).length > 0;
  const plain = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && !isSource(value)));
  for (const { name, message } of model.parse({ ...plain, ...checkedAs }).problems ?? []) {
    const field = model.fields.find((other) => other.name === name);
    if (field === undefined || (plain[name] === undefined && isFromElsewhere(field))) continue;
    const what = plain[name] === undefined ? 'is missing' : 'is not usable';
    throw new ConstructError(scope, `settings.${name} ${what}: ${message}; give it with settings: config.values({ ${name}: ... })`);
  }
  return model.fields.flatMap((field): SettingVariable[] => {
    const value = values[field.name];
    if (value === undefined) return [];
    if (isSource(value)) return [{ name: field.variable, valueFrom: value.valueFrom }];
    if (field.isSecret)
      throw new ConstructError(
        scope,
        `settings.${field.name} is a secret, and a manifest would show it; give { valueFrom: { secretKeyRef: { name, key } } }`,
      );
    return [{ name: field.variable, value: settingText(value, field) }];
  });
}

function isSource(value: unknown): value is { readonly valueFrom: unknown } {
  return isRecord(value) && Object.hasOwn(value, 'valueFrom');
}
