import type { KubernetesObject } from '../../../../src/kubernetes/apimachinery/index.js';

/** An object of the page's tests, perhaps of an owner. */
export function object(name: string, owner?: string, metadata: object = {}, rest: object = {}): KubernetesObject {
  const ownerReferences = owner === undefined ? [] : [{ apiVersion: 'v1', kind: 'Any', name: owner, uid: owner, controller: true }];
  return {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name, namespace: 'shop', uid: name, ownerReferences, ...metadata },
    ...rest,
  } as never;
}
