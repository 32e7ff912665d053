import type { KindInfo, KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { isNotFound, mergePatch } from '@keelson/runtime/internal/client';
import type { ClusterClient } from '../cluster/index.js';

const PROTECTION = 'kubernetes.io/pvc-protection';

const CLAIM: KindInfo = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  scope: 'Namespaced',
  subresources: ['status'],
};

function usesClaim(pod: KubernetesObject, claim: string): boolean {
  const { spec } = pod as unknown as {
    readonly spec?: { readonly volumes?: readonly { readonly persistentVolumeClaim?: { readonly claimName?: string } }[] };
  };
  return spec?.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === claim) === true;
}

/** Claims that were deleted, and wait for the Pods that use them: where no Pods run, kube-controller-manager is played here. */
export class LeavingClaims {
  readonly #isPlayed: boolean;
  #claims: KubernetesObject[] = [];

  /** @param isPlayed whether nothing else takes the finalizer away */
  constructor(isPlayed: boolean) {
    this.#isPlayed = isPlayed;
  }

  get size(): number {
    return this.#claims.length;
  }

  /** An object has begun to leave. */
  leaving(resource: string, object: KubernetesObject): void {
    if (this.#isPlayed && resource === CLAIM.plural && object.metadata.finalizers?.includes(PROTECTION)) this.#claims.push(object);
  }

  /** Releases the claims that no Pod uses. */
  async release(cluster: ClusterClient, objects: () => readonly KubernetesObject[]): Promise<void> {
    const claims = this.#claims;
    this.#claims = [];
    for (const claim of claims) {
      const { name = '', namespace, finalizers = [] } = claim.metadata;
      const isUsed = objects().some(
        (object) => object.kind === 'Pod' && object.metadata.namespace === namespace && usesClaim(object, name),
      );
      if (isUsed) this.#claims.push(claim);
      else
        await cluster
          .patch(CLAIM, `${namespace}/${name}`, mergePatch({ metadata: { finalizers: finalizers.filter((one) => one !== PROTECTION) } }))
          .catch((error: unknown) => {
            if (!isNotFound(error)) throw error;
          });
    }
  }
}
