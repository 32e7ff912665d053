import { compareQuantities, type Quantity, roundUpQuantity } from '@keelson/kubernetes/apimachinery';
import type { PersistentVolumeClaim } from '@keelson/kubernetes/kinds';
import { claimClass, quantityOf, type ResourceList } from '../pod-resources/index.js';
import { meetsRequirement, type QuotaEvaluator } from './evaluator.js';

const CLAIMS = 'persistentvolumeclaims';
const STORAGE = 'requests.storage';
const COUNT = 'count/persistentvolumeclaims';
const OF_CLASS = '.storageclass.storage.k8s.io/';

/** Source: kubernetes `pkg/quota/v1/evaluator/core/persistent_volume_claims.go`. */
export const persistentVolumeClaims: QuotaEvaluator = {
  counted: (names) => names.filter(isCounted),
  handles({ subresource, operation }) {
    // Upstream compares addresses of amounts where it means to compare amounts: every change of the status is looked at.
    return subresource === 'status' || (subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'));
  },
  usage: (object) => usageOf(object as unknown as PersistentVolumeClaim),
  isInScope: (requirement, object) =>
    requirement.scopeName === 'VolumeAttributesClass' &&
    meetsRequirement(requirement, attributesClasses(object as unknown as PersistentVolumeClaim)),
};

function isCounted(name: string): boolean {
  return [COUNT, CLAIMS, STORAGE].includes(name) || name.endsWith(OF_CLASS + CLAIMS) || name.endsWith(OF_CLASS + STORAGE);
}

function usageOf(claim: PersistentVolumeClaim): ResourceList {
  const one = quantityOf('1');
  const storage = storageOf(claim);
  const name = claimClass(claim);
  const usage = new Map([
    [CLAIMS, one],
    [COUNT, one],
  ]);
  if (name !== '') usage.set(name + OF_CLASS + CLAIMS, one);
  if (storage === undefined) return usage;
  usage.set(STORAGE, storage);
  if (name !== '') usage.set(name + OF_CLASS + STORAGE, storage);
  return usage;
}

/** In whole bytes; what the volume is growing to counts, where that is more. */
function storageOf({ spec, status }: PersistentVolumeClaim): Quantity | undefined {
  const asked = spec?.resources?.requests?.['storage'];
  if (asked === undefined) return undefined;
  const wanted = roundUpQuantity(quantityOf(String(asked)), 0);
  const allocated = status?.allocatedResources?.['storage'];
  if (allocated === undefined) return wanted;
  const growing = quantityOf(String(allocated));
  return compareQuantities(growing, wanted) > 0 ? roundUpQuantity(growing, 0) : wanted;
}

function attributesClasses({ spec, status }: PersistentVolumeClaim): readonly string[] {
  const { currentVolumeAttributesClassName, modifyVolumeStatus } = status ?? {};
  const names = [spec?.volumeAttributesClassName, currentVolumeAttributesClassName, modifyVolumeStatus?.targetVolumeAttributesClassName];
  return names.filter((name) => name !== undefined && name !== '') as readonly string[];
}
