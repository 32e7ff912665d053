import { invalid } from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import { type Errors, those } from '../checks/index.js';
import type { Lease, LeaseSpec } from '../drafts.js';

/** Leader election stands on these. Source: kubernetes `pkg/registry/coordination/lease`, `pkg/apis/coordination/validation`. */
export const leases: Behaviour<Lease> = {
  // Fields of a feature that is switched off.
  prepareForCreate({ spec }) {
    delete spec?.strategy;
    delete spec?.preferredHolder;
  },
  validate: ({ spec }) => specErrors(spec ?? {}),
  prepareForUpdate({ spec }, old) {
    if (old.spec?.strategy === undefined) delete spec?.strategy;
    if (old.spec?.preferredHolder === undefined) delete spec?.preferredHolder;
  },
  validateUpdate: ({ spec }) => specErrors(spec ?? {}),
  allowsCreateOnUpdate: true,
  allowsUnconditionalUpdate: false,
};

function specErrors({ leaseDurationSeconds: duration, leaseTransitions: transitions }: LeaseSpec): Errors {
  return those(
    duration !== undefined && duration <= 0 && invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'),
    transitions !== undefined && transitions < 0 && invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'),
  );
}
