import { type OwnPolicy, own } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import type { KindInfo, OwnerReference } from '../../../src/kubernetes/apimachinery/index.js';
import type { StoredObject } from '../../../src/runtime/cache/index.js';
import type { Owner } from '../../../src/runtime/children/marks.js';
import { Widget } from '../reconcile/widget.js';

/** The owner of all children here: the Widget w of the namespace shop. */
export const OWNER: Owner = {
  kind: Widget as KindInfo,
  object: {
    apiVersion: 'test.example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'shop', uid: 'owner', resourceVersion: '1' },
  } as unknown as StoredObject,
};

/** Children go with their owner, adopted ones too, unless `more` says otherwise. */
export function policyOf(more: Partial<OwnPolicy> = {}): OwnPolicy {
  return { ...own(ConfigMap).policy, keepsAdopted: false, ...more };
}

export function referenceTo(uid: string, more: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: 'test.example.com/v1', kind: 'Widget', name: 'w', uid, controller: true, ...more };
}

/** A ConfigMap as the cache holds it. */
export function liveConfig(name: string, metadata: object = {}): StoredObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'shop', uid: `uid-of-${name}`, resourceVersion: '5', ...metadata },
    data: {},
  } as unknown as StoredObject;
}
