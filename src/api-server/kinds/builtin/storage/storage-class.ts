import type { StorageClass, VolumeAttributesClass } from '../../../../kinds/index.js';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  qualifiedNameProblems,
  required,
  tooLong,
} from '../../../../kubernetes/index.js';
import type { Behaviour } from '../behaviour.js';
import { type Errors, immutable, invalidEach, labelName } from '../checks/index.js';
import { semanticEqual } from '../semantic-equal.js';

const MAX_PARAMETERS = 512;
const MAX_PARAMETER_BYTES = 262_144;
const RECLAIM_POLICIES = ['Delete', 'Retain'];
const BINDING_MODES = ['Immediate', 'WaitForFirstConsumer'];

/** Source: kubernetes 1.34 `pkg/registry/storage/storageclass`, `pkg/apis/storage/{v1,validation}`. */
export const storageClasses: Behaviour<StorageClass> = {
  setDefaults(storage) {
    storage.reclaimPolicy ??= 'Delete';
    storage.volumeBindingMode ??= 'Immediate';
  },
  validate: classErrors,
  validateUpdate: (storage, old) => [
    ...classErrors(storage),
    ...(['parameters', 'provisioner', 'reclaimPolicy'] as const).flatMap((field) =>
      semanticEqual(storage[field] ?? {}, old[field] ?? {}) ? [] : [forbidden(field, `updates to ${field} are forbidden.`)],
    ),
    ...immutable(storage.volumeBindingMode, old.volumeBindingMode, 'volumeBindingMode'),
  ],
  revalidatesMetadata: true,
};

function classErrors(storage: StorageClass): Errors {
  const { provisioner, parameters = {} } = storage;
  const { reclaimPolicy = '', volumeBindingMode = '' }: { reclaimPolicy?: string | undefined; volumeBindingMode?: string | undefined } =
    storage;
  return [
    ...driverErrors(provisioner, 'provisioner'),
    ...parameterErrors(parameters),
    ...(reclaimPolicy === '' || RECLAIM_POLICIES.includes(reclaimPolicy)
      ? []
      : [notSupported('reclaimPolicy', reclaimPolicy, RECLAIM_POLICIES)]),
    ...(BINDING_MODES.includes(volumeBindingMode) ? [] : [notSupported('volumeBindingMode', volumeBindingMode, BINDING_MODES)]),
    ...topologyErrors(storage.allowedTopologies ?? [], 'allowedTopologies'),
  ];
}

function driverErrors(driver: string, path: string): Errors {
  const name = driver.toLowerCase();
  return name === '' ? [required(path)] : invalidEach(path, name, qualifiedNameProblems(name));
}

function parameterErrors(parameters: Readonly<Record<string, string>>): Errors {
  const entries = Object.entries(parameters);
  if (entries.length > MAX_PARAMETERS) return [tooLong('parameters', MAX_PARAMETERS)];
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...(Object.hasOwn(parameters, '') ? [invalid('parameters', '', 'field can not be empty.')] : []),
    ...(bytes > MAX_PARAMETER_BYTES ? [tooLong('parameters', MAX_PARAMETER_BYTES)] : []),
  ];
}

type Topology = NonNullable<StorageClass['allowedTopologies']>[number];

function topologyErrors(terms: readonly Topology[], path: string): Errors {
  const seen: string[] = [];
  return terms.flatMap(({ matchLabelExpressions }, index): FieldError[] => {
    const field = `${path}[${index}].matchLabelExpressions`;
    const expressions = matchLabelExpressions ?? [];
    const keys = expressions.map(({ key }) => key);
    const id = JSON.stringify(
      Object.entries(Object.fromEntries(expressions.map(({ key, values }) => [key, [...new Set(values)].sort()]))).sort(
        ([left], [right]) => (left < right ? -1 : 1),
      ),
    );
    const isDouble = seen.includes(id);
    seen.push(id);
    return [
      ...expressions.flatMap(({ key, values }, position) => [
        ...expressionErrors(key, values, `${field}[${position}]`),
        ...(keys.indexOf(key) < position ? [duplicate(`${field}[${position}].key`, key)] : []),
      ]),
      ...(isDouble ? [duplicate(field, '')] : []),
    ];
  });
}

function expressionErrors(key: string, values: readonly string[] | null, path: string): Errors {
  const list = values ?? [];
  return [
    ...(list.length === 0 ? [required(`${path}.values`)] : []),
    ...list.flatMap((value, index) => (list.indexOf(value) < index ? [duplicate(`${path}.values[${index}]`, value)] : [])),
    ...labelName(key, `${path}.key`),
  ];
}

/** Source: kubernetes 1.34 `pkg/registry/storage/volumeattributesclass`, `pkg/apis/storage/validation`. */
export const volumeAttributesClasses: Behaviour<VolumeAttributesClass> = {
  validate: attributesErrors,
  validateUpdate: (attributes, old) => [
    // The server looks at the new one twice.
    ...attributesErrors(attributes),
    ...(['driverName', 'parameters'] as const).flatMap((field) =>
      semanticEqual(attributes[field] ?? {}, old[field] ?? {}) ? [] : [forbidden(field, `updates to ${field} are forbidden.`)],
    ),
    ...attributesErrors(attributes),
  ],
  revalidatesMetadata: true,
};

function attributesErrors({ driverName, parameters = {} }: VolumeAttributesClass): Errors {
  return [
    ...driverErrors(driverName, 'driverName'),
    ...parameterErrors(parameters),
    ...(Object.keys(parameters).length === 0 ? [required('parameters', 'must contain at least one key/value pair')] : []),
  ];
}
