import { nameInGroup } from '@keelson/kubernetes/apimachinery';
import { persistentVolumeClaims } from './claims.js';
import { resourceClaims } from './device-claims.js';
import type { QuotaEvaluator } from './evaluator.js';
import { objectCount } from './object-count.js';
import { pods } from './pods.js';
import { services } from './services.js';

interface ResourceName {
  readonly group: string;
  readonly plural: string;
}

const OF_RESOURCE: Readonly<Record<string, QuotaEvaluator>> = {
  persistentvolumeclaims: persistentVolumeClaims,
  pods,
  'resourceclaims.resource.k8s.io': resourceClaims,
  services,
};

/** Resources that are not kept, and events. Source: kubernetes `pkg/quota/v1/install`. */
const IGNORED: ReadonlySet<string> = new Set([
  'bindings',
  'componentstatuses',
  'events',
  'events.events.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
]);

/** Undefined: quotas do not count the resource. */
export function evaluatorOf({ group, plural }: ResourceName): QuotaEvaluator | undefined {
  const name = nameInGroup(plural, group);
  return IGNORED.has(name) ? undefined : (OF_RESOURCE[name] ?? objectCount({ group, plural }));
}
