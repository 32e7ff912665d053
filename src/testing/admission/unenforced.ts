import type { AdmissionRequest } from '../resources/index.js';
import type { AdmissionPlugin } from './plugin.js';

/** Kinds whose rules a kube-apiserver enforces by plugins that are not here. */
const KINDS: Readonly<Record<string, string>> = {
  resourcequotas: 'ResourceQuota',
};

/** Warns where an object is stored whose rules nobody here enforces: a test must not take their silence for consent. */
export function unenforcedRules(): AdmissionPlugin {
  return {
    name: 'UnenforcedRules',
    validate(request) {
      const rule = request.operation === 'CREATE' || request.operation === 'UPDATE' ? unenforced(request) : undefined;
      if (rule !== undefined) request.context.warn(`${rule}: the in-process API server of keelson does not enforce it`);
    },
  };
}

function unenforced({ served: { resource }, subresource }: AdmissionRequest): string | undefined {
  return resource.group === '' && subresource === '' ? KINDS[resource.plural] : undefined;
}
