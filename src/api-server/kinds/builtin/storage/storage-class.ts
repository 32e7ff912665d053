import { duplicate, forbidden, invalid, qualifiedNameProblems, required, tooLong } from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import {
  all,
  declared,
  declaredErrors,
  distinct,
  type Errors,
  filled,
  immutable,
  labelName,
  needed,
  neededThen,
  oneOf,
  type Rule,
  shape,
  those,
  unique,
} from '../checks/index.js';
import type { StorageClass, VolumeAttributesClass } from '../drafts.js';
import { semanticEqual } from '../semantic-equal.js';

const MAX_PARAMETERS = 512;
const MAX_PARAMETER_BYTES = 262_144;

/** Source: kubernetes `pkg/registry/storage/storageclass`, `pkg/apis/storage/{v1,validation}`. */
export const storageClasses: Behaviour<StorageClass> = {
  setDefaults(storage) {
    storage.reclaimPolicy ??= 'Delete';
    storage.volumeBindingMode ??= 'Immediate';
  },
  validate: (storage) => classRules(storage, ''),
  validateUpdate: (storage, old) => [
    ...classRules(storage, ''),
    ...(['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode'] as const).flatMap((field) =>
      declaredErrors(immutable(storage[field], old[field], field, null)),
    ),
  ],
  revalidatesMetadata: true,
};

/** Drivers are compared, and shown, in lower case. */
const driverName: Rule<string> = neededThen((name = '', path) =>
  qualifiedNameProblems(name.toLowerCase()).map((text) => invalid(path, name.toLowerCase(), text)),
);

function parameterErrors(parameters: Readonly<Record<string, string>> = {}, path: string): Errors {
  const entries = Object.entries(parameters);
  if (entries.length > MAX_PARAMETERS) return [tooLong(path, MAX_PARAMETERS)];
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return those(
    Object.hasOwn(parameters, '') && invalid(path, '', 'field can not be empty.'),
    bytes > MAX_PARAMETER_BYTES && tooLong(path, MAX_PARAMETER_BYTES),
  );
}

type Topology = NonNullable<StorageClass['allowedTopologies']>[number];

const topologyRules = shape<Topology>({
  matchLabelExpressions: unique(
    'key',
    shape({
      values: all(
        needed(),
        distinct(() => [], 'first'),
      ),
      key: labelName,
    }),
    'last',
  ),
});

/** Terms that mean the same: keys and values in any order. */
function topologyErrors(terms: readonly Topology[] = [], path: string): Errors {
  const ids = terms.map(({ matchLabelExpressions }) => {
    const valuesOf = new Map((matchLabelExpressions ?? []).map(({ key, values }) => [key, [...new Set(values)].sort()]));
    return JSON.stringify([...valuesOf].sort(([left], [right]) => (left < right ? -1 : 1)));
  });
  return terms.flatMap((term, index) =>
    those(
      topologyRules(term, `${path}[${index}]`),
      ids.indexOf(ids[index] as string) < index && duplicate(`${path}[${index}].matchLabelExpressions`, ''),
    ),
  );
}

const classRules = shape<StorageClass>({
  provisioner: all(declared(needed()), filled(driverName)),
  parameters: parameterErrors,
  reclaimPolicy: filled(oneOf(['Delete', 'Retain'])),
  volumeBindingMode: oneOf(['Immediate', 'WaitForFirstConsumer']),
  allowedTopologies: topologyErrors,
});

/** Source: kubernetes `pkg/registry/storage/volumeattributesclass`, `pkg/apis/storage/validation`. */
export const volumeAttributesClasses: Behaviour<VolumeAttributesClass> = {
  validate: (attributes) => attributesRules(attributes, ''),
  validateUpdate: (attributes, old) => [
    ...(['driverName', 'parameters'] as const).flatMap((field) => fixed(attributes[field], old[field], field)),
    ...attributesRules(attributes, ''),
  ],
  revalidatesMetadata: true,
};

const attributesRules = shape<VolumeAttributesClass>({
  driverName,
  parameters: (parameters = {}, path) =>
    those(
      parameterErrors(parameters, path),
      Object.keys(parameters).length === 0 && required(path, 'must contain at least one key/value pair'),
    ),
});

function fixed(value: unknown, old: unknown, field: string): Errors {
  return semanticEqual(value ?? {}, old ?? {}) ? [] : [forbidden(field, `updates to ${field} are forbidden.`)];
}
