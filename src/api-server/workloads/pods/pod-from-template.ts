import type { ObjectMeta, OwnerReference } from '@keelson/kubernetes/apimachinery';
import type { Pod } from '@keelson/kubernetes/kinds';

export interface PodTemplate {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?: Pod['spec'] | undefined;
}

export interface PodOwner {
  readonly name: string;
  readonly reference: OwnerReference;
}

export interface NewPod {
  readonly apiVersion: 'v1';
  readonly kind: 'Pod';
  readonly metadata: ObjectMeta;
  readonly spec: Pod['spec'];
}

/** A Pod as a controller makes it: its name is completed by the server. */
export function podFromTemplate({ metadata = {}, spec }: PodTemplate, { name, reference }: PodOwner): NewPod {
  const { labels = {}, annotations = {}, finalizers = [] } = metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { generateName: `${name}-`, labels, annotations, finalizers, ownerReferences: [reference] },
    spec: spec ?? { containers: [] },
  };
}
