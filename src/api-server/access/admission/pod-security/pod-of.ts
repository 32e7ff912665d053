import type { Json } from '@keelson/kubernetes/apimachinery';
import type { PodSpec } from '@keelson/kubernetes/kinds';
import { isObject, type JsonObject } from '../../../contract/index.js';
import type { CheckedPod } from './checked-pod.js';

/** Where kinds that make pods keep the template, by `group/plural`. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  '/replicationcontrollers': ['spec', 'template'],
  '/podtemplates': ['template'],
  'apps/replicasets': ['spec', 'template'],
  'apps/deployments': ['spec', 'template'],
  'apps/statefulsets': ['spec', 'template'],
  'apps/daemonsets': ['spec', 'template'],
  'batch/jobs': ['spec', 'template'],
  'batch/cronjobs': ['spec', 'jobTemplate', 'spec', 'template'],
};

/** Path to the pod template in objects of a resource; undefined: they have none. */
export function templatePath({ group, plural }: { readonly group: string; readonly plural: string }): readonly string[] | undefined {
  const key = `${group}/${plural}`;
  return Object.hasOwn(TEMPLATES, key) ? TEMPLATES[key] : undefined;
}

/** Undefined: a ReplicationController may go without. */
export function templateOf(object: JsonObject, path: readonly string[]): CheckedPod | undefined {
  let found: Json | undefined = object;
  for (const field of path) found = isObject(found) ? found[field] : undefined;
  return isObject(found) ? checkedPod(found) : undefined;
}

export function checkedPod({ metadata, spec }: JsonObject): CheckedPod {
  const { annotations = {} } = (metadata ?? {}) as { readonly annotations?: Readonly<Record<string, string>> };
  return { annotations, spec: (spec ?? {}) as unknown as PodSpec };
}

export function labelsOf({ metadata }: JsonObject): Readonly<Record<string, string>> | undefined {
  return (metadata as { readonly labels?: Readonly<Record<string, string>> } | undefined)?.labels;
}
