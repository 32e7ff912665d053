import { duplicate } from '../../../../kubernetes/index.js';
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
import { countChangedSpec } from '../generation.js';

/** Source: kubernetes 1.34 `pkg/registry/storage/csidriver`, `pkg/apis/storage/{v1,validation}`. */
export const csiDrivers: Behaviour<CSIDriver> = {
  setDefaults({ spec }) {
    spec.attachRequired ??= true;
    spec.podInfoOnMount ??= false;
    spec.storageCapacity ??= false;
    spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
    if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ['Persistent'];
    spec.requiresRepublish ??= false;
    spec.seLinuxMount ??= false;
  },
  prepareForCreate({ spec }) {
    // Fields of a feature that is switched off.
    delete spec.nodeAllocatableUpdatePeriodSeconds;
  },
  validate: ({ spec }) => driverRules(spec, 'spec'),
  prepareForUpdate(driver, old) {
    if (old.spec.nodeAllocatableUpdatePeriodSeconds === undefined) delete driver.spec.nodeAllocatableUpdatePeriodSeconds;
    countChangedSpec(driver, old);
  },
  validateUpdate: ({ spec }, old) => [
    ...driverRules(spec, 'spec'),
    ...immutable(spec.attachRequired, old.spec.attachRequired, 'spec.attachedRequired'),
    ...immutable(spec.volumeLifecycleModes, old.spec.volumeLifecycleModes, 'spec.volumeLifecycleModes'),
  ],
  allowsUnconditionalUpdate: false,
};

type TokenRequest = NonNullable<CSIDriver['spec']['tokenRequests']>[number];

const driverRules = shape<CSIDriver['spec']>({
  fsGroupPolicy: oneOf(['File', 'None', 'ReadWriteOnceWithFSType']),
  tokenRequests: unique('audience', shape<TokenRequest>({ expirationSeconds: tokenSeconds }), 'instead'),
  volumeLifecycleModes: eachAt(oneOf(['Persistent', 'Ephemeral'])),
  nodeAllocatableUpdatePeriodSeconds: atLeast(10, 'must be greater than or equal to 10 seconds'),
});

/** Source: kubernetes 1.34 `pkg/registry/storage/csinode`, `pkg/apis/storage/validation`. */
export const csiNodes: Behaviour<CSINode> = {
  validate: ({ spec }) => nodeRules(spec, 'spec'),
  validateUpdate: (node, old) => [
    // The server looks at the new one twice.
    ...nodeRules(node.spec, 'spec'),
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

/** Source: kubernetes 1.34 `pkg/registry/storage/csistoragecapacity`, `pkg/apis/storage/validation`. */
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
