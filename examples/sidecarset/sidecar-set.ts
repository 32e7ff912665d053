import { defineCustomResource, type Resource } from 'keelson';
import { fromStorage, toStorage } from './conversion.js';
import { v1alpha1, v1beta1 } from './schema.js';

const columns = [
  { name: 'Matched', type: 'integer', jsonPath: '.status.matchedPods', description: 'Pods that have the sidecars.' },
  { name: 'Updated', type: 'integer', jsonPath: '.status.updatedPods', description: 'Pods whose sidecars are those of the spec.' },
  { name: 'Ready', type: 'integer', jsonPath: '.status.readyPods', description: 'Pods that are ready.' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
] as const;

// #region definition
/** Containers that every Pod gets that a selector selects, in all namespaces. */
export const SidecarSet = defineCustomResource({
  group: 'apps.example.com',
  kind: 'SidecarSet',
  scope: 'Cluster',
  versions: {
    v1beta1: { ...v1beta1, storage: true, columns },
    v1alpha1: { ...v1alpha1, deprecated: true, columns },
  },
  convert: { v1alpha1: { toStorage, fromStorage } },
});
// #endregion

/** A SidecarSet as the controller and the webhooks see it: defaults applied. */
export interface SidecarSet extends Resource<typeof SidecarSet> {}
