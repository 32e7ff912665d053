import { defineCustomResource, type Resource } from 'keelson';
import { spec, status } from './schema.js';

// #region definition
/** Members of etcd that keep one set of data. */
export const EtcdCluster = defineCustomResource({
  group: 'etcd.database.coreos.com',
  kind: 'EtcdCluster',
  shortNames: ['etcd'],
  versions: {
    v1beta2: {
      spec,
      status,
      // The name of a Pod is that of its cluster, a dash and ten characters, and is a label of a host name.
      rules: [{ rule: 'size(self.metadata.name) <= 52', message: 'the name must have at most 52 characters' }],
      scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size', labelSelectorPath: '.status.selector' },
      columns: [
        { name: 'Size', type: 'integer', jsonPath: '.status.size' },
        { name: 'Version', type: 'string', jsonPath: '.status.currentVersion' },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  },
});
// #endregion

/** An EtcdCluster as the controller and the webhooks see it: defaults applied. */
export interface EtcdCluster extends Resource<typeof EtcdCluster> {}
