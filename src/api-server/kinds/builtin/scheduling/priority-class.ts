import { type FieldError, forbidden, notSupported, required } from '@keelson/kubernetes/apimachinery';
import { forbidden as refused } from '../../../status/index.js';
import type { Behaviour } from '../behaviour.js';
import { type Errors, immutable, those } from '../checks/index.js';
import type { PriorityClass } from '../drafts.js';
import { beginGenerations } from '../generation.js';

const SYSTEM_PREFIX = 'system-';
const MOST = 1_000_000_000;
const SYSTEM_VALUES: Readonly<Record<string, number>> = { 'system-node-critical': 2_000_001_000, 'system-cluster-critical': 2_000_000_000 };

/** Source: kubernetes `pkg/registry/scheduling/priorityclass`, `pkg/apis/scheduling/{v1,validation}`. */
export const priorityClasses: Behaviour<PriorityClass> = {
  setDefaults(priority) {
    priority.preemptionPolicy ??= 'PreemptLowerPriority';
  },
  prepareForCreate: beginGenerations,
  validate: (priority) => [...valueErrors(priority), ...policyErrors(priority.preemptionPolicy)],
  validateUpdate: (priority, old) =>
    those(
      priority.value !== old.value && forbidden('value', 'may not be changed in an update.'),
      immutable(priority.preemptionPolicy, old.preemptionPolicy, 'preemptionPolicy'),
    ),
  checkDelete({ metadata: { name } }) {
    if (!Object.hasOwn(SYSTEM_VALUES, name)) return;
    throw refused({ group: 'scheduling.k8s.io', plural: 'priorityclasses' }, name, 'this is a system priority class and cannot be deleted');
  },
};

function valueErrors({ metadata, value = 0, globalDefault = false }: PriorityClass): Errors {
  // Another rule reports that it has none.
  const { name = '' } = metadata as Partial<typeof metadata>;
  if (!name.startsWith(SYSTEM_PREFIX)) {
    return value > MOST ? [forbidden('value', `maximum allowed value of a user defined priority is ${MOST}`)] : [];
  }
  const known = SYSTEM_VALUES[name];
  const refuse = (text: string): readonly FieldError[] => [
    forbidden('metadata.name', `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for system use only. error: ${text}`),
  ];
  if (known === undefined) return refuse(`${name} is not a known system priority class`);
  if (value !== known) return refuse(`value of ${name} PriorityClass must be ${known}`);
  return globalDefault ? refuse(`globalDefault of ${name} PriorityClass must be false`) : [];
}

const POLICIES = ['PreemptLowerPriority', 'Never'];

function policyErrors(policy: string | undefined): Errors {
  if (policy === undefined || POLICIES.includes(policy)) return [];
  return policy === '' ? [required('preemptionPolicy')] : [notSupported('preemptionPolicy', policy, POLICIES)];
}
