/** Behaviour of the kinds of API group `storage`: StorageClasses, CSI drivers and CSI nodes. */
import type { BehaviourMakers } from '../behaviour.js';
import { csiDrivers, csiNodes, csiStorageCapacities } from './csi-driver.js';
import { storageClasses, volumeAttributesClasses } from './storage-class.js';

/** Behaviours of the kinds of this group. */
export const storageBehaviours: BehaviourMakers = {
  'storage.k8s.io/csidrivers': () => csiDrivers,
  'storage.k8s.io/csinodes': () => csiNodes,
  'storage.k8s.io/csistoragecapacities': () => csiStorageCapacities,
  'storage.k8s.io/volumeattributesclasses': () => volumeAttributesClasses,
  'storage.k8s.io/storageclasses': () => storageClasses,
};
