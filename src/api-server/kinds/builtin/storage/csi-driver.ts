import { duplicate, invalid } from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import {
  all,
  atLeast,
  csiDriverName,
  dnsSubdomain,
  type Errors,
  eachAt,
  immutable,
  internalValue,
  labelName,
  labelSelectorErrors,
  needed,
  nonNegative,
  nonNegativeAmount,
  oneOf,
  refuse,
  shape,
  tokenSeconds,
  unique,
} from '../checks/index.js';
import type { CSIDriver, CSINode, CSIStorageCapacity } from '../drafts.js';
import { countChangedSpec, keepSpec, keepStatus } from '../generation.js';
import { semanticEqual } from '../semantic-equal.js';

/** Source: kubernetes `pkg/registry/storage/csidriver`, `pkg/apis/storage/{v1,validation}`. */
export const csiDrivers: Behaviour<CSIDriver> = {
  setDefaults({ spec }) {
    spec.attachRequired ??= true;
    spec.podInfoOnMount ??= false;
    spec.storageCapacity ??= false;
    spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
    if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ['Persistent'];
    spec.requiresRepublish ??= false;
    spec.seLinuxMount ??= false;
    spec.preventPodSchedulingIfMissing ??= false;
  },
  warningsOnCreate: ({ spec }) => tokenWarnings(spec),
  validate: ({ spec }) => driverRules(spec, 'spec'),
  prepareForUpdate: countChangedSpec,
  validateUpdate: ({ spec }, old) => [
    ...driverRules(spec, 'spec'),
    ...immutable(spec.attachRequired, old.spec.attachRequired, 'spec.attachedRequired'),
    ...immutable(spec.volumeLifecycleModes, old.spec.volumeLifecycleModes, 'spec.volumeLifecycleModes'),
  ],
  warningsOnUpdate: ({ spec }, old) => (semanticEqual(spec.tokenRequests, old.spec.tokenRequests) ? [] : tokenWarnings(spec)),
  allowsUnconditionalUpdate: false,
};

/** Tokens in the volume's attributes may be logged. */
function tokenWarnings({ tokenRequests, serviceAccountTokenInSecrets }: CSIDriver['spec']): readonly string[] {
  if ((tokenRequests ?? []).length === 0 || serviceAccountTokenInSecrets !== undefined) return [];
  return [
    'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
  ];
}

type TokenRequest = NonNullable<CSIDriver['spec']['tokenRequests']>[number];

const driverFields = shape<CSIDriver['spec']>({
  fsGroupPolicy: oneOf(['File', 'None', 'ReadWriteOnceWithFSType']),
  tokenRequests: unique('audience', shape<TokenRequest>({ expirationSeconds: tokenSeconds }), 'instead'),
  volumeLifecycleModes: eachAt(oneOf(['Persistent', 'Ephemeral'])),
  nodeAllocatableUpdatePeriodSeconds: atLeast(10, 'must be greater than or equal to 10 seconds'),
});

const driverRules = all(driverFields, (spec, path) => {
  const { serviceAccountTokenInSecrets: inSecrets, tokenRequests } = spec ?? {};
  if (inSecrets === undefined || (tokenRequests ?? []).length > 0) return [];
  const text = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
  return [invalid(`${path}.serviceAccountTokenInSecrets`, inSecrets, text)];
});

/** Source: kubernetes `pkg/registry/storage/csinode`, `pkg/apis/storage/validation`. */
export const csiNodes: Behaviour<CSINode> = {
  prepareForCreate(node) {
    node.status = {};
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate(node, old) {
    keepSpec(node, old);
    // The health of storage is a feature that is switched off.
    if (old.status?.storageHealth === undefined) delete node.status?.storageHealth;
  },
  resetFields: { '': ['status'], status: ['metadata', 'spec'] },
  validate: ({ spec }) => nodeRules(spec, 'spec'),
  validateUpdate: (node, old) => [
    ...nodeRules(node.spec, 'spec'),
    ...old.spec.drivers.flatMap((before) =>
      node.spec.drivers
        .filter(({ name }) => name === before.name)
        .flatMap((driver) => immutable(driver, before, 'spec.drivers', internalValue('storage/v1.CSINodeDriver', driver))),
    ),
  ],
  revalidatesMetadata: true,
  allowsUnconditionalUpdate: false,
};

const nodeRules = shape<CSINode['spec']>({
  drivers: unique(
    'name',
    shape<CSINode['spec']['drivers'][number]>({
      name: csiDriverName,
      nodeID: all(
        needed(),
        refuse((id) => id.length > 256, 'must be 256 characters or less'),
      ),
      allocatable: (allocatable, path) => nonNegative(allocatable?.count, `${path}.count`),
    }),
    // The server does not name the key.
    { before: (driver, path) => (driver?.topologyKeys ?? []).flatMap((_key, index, keys) => topologyKeyErrors(keys, index, path)) },
  ),
});

function topologyKeyErrors(keys: readonly string[], index: number, path: string): Errors {
  const key = keys[index];
  const isTwice = keys.indexOf(key as string) < index;
  return [...needed()(key, path), ...(isTwice ? [duplicate(path, key)] : []), ...labelName(key, path)];
}

/** Source: kubernetes `pkg/registry/storage/csistoragecapacity`, `pkg/apis/storage/validation`. */
export const csiStorageCapacities: Behaviour<CSIStorageCapacity> = {
  validate: (capacity) => capacityRules(capacity, ''),
  validateUpdate: (capacity, old) => [
    ...capacityRules(capacity, ''),
    ...immutable(capacity.nodeTopology, old.nodeTopology, 'nodeTopology'),
    ...immutable(capacity.storageClassName, old.storageClassName, 'storageClassName'),
  ],
  revalidatesMetadata: true,
  allowsUnconditionalUpdate: false,
};

const capacityRules = shape<CSIStorageCapacity>({
  nodeTopology: labelSelectorErrors,
  storageClassName: dnsSubdomain,
  capacity: nonNegativeAmount,
});
