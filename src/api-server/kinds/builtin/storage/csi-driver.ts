import type { CSIDriver, CSINode, CSIStorageCapacity } from '../../../../kinds/index.js';
import {
  dns1123SubdomainProblems,
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../../../../kubernetes/index.js';
import type { Behaviour } from '../behaviour.js';
import {
  dnsSubdomain,
  type Errors,
  immutable,
  internalValue,
  invalidEach,
  isNegativeAmount,
  labelName,
  labelSelectorErrors,
  nonNegative,
} from '../checks/index.js';
import { countChangedSpec } from '../generation.js';
import { semanticEqual } from '../semantic-equal.js';

const GROUP_POLICIES = ['File', 'None', 'ReadWriteOnceWithFSType'];
const LIFECYCLE_MODES = ['Persistent', 'Ephemeral'];
const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

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
    // Of a feature that is switched off.
    delete spec.nodeAllocatableUpdatePeriodSeconds;
  },
  validate: ({ spec }) => driverErrors(spec),
  prepareForUpdate(driver, old) {
    if (old.spec.nodeAllocatableUpdatePeriodSeconds === undefined) delete driver.spec.nodeAllocatableUpdatePeriodSeconds;
    countChangedSpec(driver, old);
  },
  validateUpdate: ({ spec }, old) => [
    ...driverErrors(spec),
    ...immutable(spec.attachRequired, old.spec.attachRequired, 'spec.attachedRequired'),
    ...immutable(spec.volumeLifecycleModes, old.spec.volumeLifecycleModes, 'spec.volumeLifecycleModes'),
  ],
  allowsUnconditionalUpdate: false,
};

function driverErrors({
  fsGroupPolicy,
  tokenRequests,
  volumeLifecycleModes,
  nodeAllocatableUpdatePeriodSeconds: period,
}: CSIDriver['spec']): Errors {
  const policies = fsGroupPolicy === undefined || GROUP_POLICIES.includes(fsGroupPolicy);
  return [
    ...(policies ? [] : [notSupported('spec.fsGroupPolicy', fsGroupPolicy, GROUP_POLICIES)]),
    ...tokenErrors(tokenRequests ?? [], 'spec.tokenRequests'),
    ...(volumeLifecycleModes ?? []).flatMap((mode) =>
      LIFECYCLE_MODES.includes(mode) ? [] : [notSupported('spec.volumeLifecycleModes', mode, LIFECYCLE_MODES)],
    ),
    ...(period !== undefined && period < 10
      ? [invalid('spec.nodeAllocatableUpdatePeriodSeconds', period, 'must be greater than or equal to 10 seconds')]
      : []),
  ];
}

function tokenErrors(requests: NonNullable<CSIDriver['spec']['tokenRequests']>, path: string): Errors {
  const audiences = requests.map(({ audience }) => audience);
  return requests.flatMap(({ audience, expirationSeconds: seconds = MIN_TOKEN_SECONDS }, index): FieldError[] => {
    if (audiences.indexOf(audience) < index) return [duplicate(`${path}[${index}].audience`, audience)];
    const field = `${path}[${index}].expirationSeconds`;
    return [
      ...(seconds < MIN_TOKEN_SECONDS ? [invalid(field, seconds, 'may not specify a duration less than 10 minutes')] : []),
      ...(seconds > MAX_TOKEN_SECONDS ? [invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds')] : []),
    ];
  });
}

/** Source: kubernetes 1.34 `pkg/registry/storage/csinode`, `pkg/apis/storage/validation`. */
export const csiNodes: Behaviour<CSINode> = {
  validate: nodeErrors,
  validateUpdate: (node, old) => [
    // The server looks at the new one twice.
    ...nodeErrors(node),
    ...nodeErrors(node),
    ...old.spec.drivers.flatMap((before) =>
      node.spec.drivers
        .filter(({ name }) => name === before.name)
        .flatMap((driver) => immutable(driver, before, 'spec.drivers', internalValue('storage/v1.CSINodeDriver', driver))),
    ),
  ],
  revalidatesMetadata: true,
  allowsUnconditionalUpdate: false,
};

const MAX_NODE_ID = 256;
const MAX_DRIVER_NAME = 63;

function nodeErrors({ spec }: CSINode): Errors {
  const drivers = spec.drivers ?? [];
  const names = drivers.map(({ name }) => name);
  return drivers.flatMap(({ name, nodeID, allocatable, topologyKeys }, index): FieldError[] => {
    const path = `spec.drivers[${index}]`;
    const keys = topologyKeys ?? [];
    return [
      ...(name === '' ? [required(`${path}.name`)] : []),
      ...(name.length > MAX_DRIVER_NAME ? [tooLong(`${path}.name`, MAX_DRIVER_NAME)] : []),
      ...invalidEach(`${path}.name`, name, dns1123SubdomainProblems(name.toLowerCase())),
      ...(nodeID === '' ? [required(`${path}.nodeID`)] : []),
      ...(nodeID.length > MAX_NODE_ID ? [invalid(`${path}.nodeID`, nodeID, `must be ${MAX_NODE_ID} characters or less`)] : []),
      ...nonNegative(allocatable?.count, `${path}.allocatable.count`),
      ...(names.indexOf(name) < index ? [duplicate(`${path}.name`, name)] : []),
      ...keys.flatMap((key, position) => [
        ...(key === '' ? [required(path)] : []),
        ...(keys.indexOf(key) < position ? [duplicate(path, key)] : []),
        ...labelName(key, path),
      ]),
    ];
  });
}

/** Source: kubernetes 1.34 `pkg/registry/storage/csistoragecapacity`, `pkg/apis/storage/validation`. */
export const csiStorageCapacities: Behaviour<CSIStorageCapacity> = {
  validate: capacityErrors,
  validateUpdate: (capacity, old) => [
    ...capacityErrors(capacity),
    ...(semanticEqual(capacity.nodeTopology, old.nodeTopology)
      ? []
      : [invalid('nodeTopology', capacity.nodeTopology ?? null, 'field is immutable')]),
    ...immutable(capacity.storageClassName, old.storageClassName, 'storageClassName'),
  ],
  revalidatesMetadata: true,
  allowsUnconditionalUpdate: false,
};

function capacityErrors({ nodeTopology, storageClassName, capacity }: CSIStorageCapacity): Errors {
  return [
    ...labelSelectorErrors(nodeTopology, 'nodeTopology'),
    ...dnsSubdomain(storageClassName, 'storageClassName'),
    ...(capacity !== undefined && isNegativeAmount(capacity)
      ? [invalid('capacity', String(capacity), 'must be greater than or equal to 0')]
      : []),
  ];
}
