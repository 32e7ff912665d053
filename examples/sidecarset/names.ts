/** Holds `{ <SidecarSet>: <hash> }`: which sidecars a Pod has, and of which revision. */
export const HASH_ANNOTATION = 'apps.example.com/sidecarset-hash';
export const HASH_WITHOUT_IMAGE_ANNOTATION = 'apps.example.com/sidecarset-hash-without-image';

/** Holds `{ <SidecarSet>: { <container>: <container id> } }`: which containers were running when their images were changed. */
export const REPLACED_ANNOTATION = 'apps.example.com/sidecarset-replaced';

/** Every Pod with sidecars has it, so that the operator watches these and no others. */
export const injectedLabel = { 'apps.example.com/sidecars': 'injected' };

/** Where the operator runs and keeps its revisions. */
export const SYSTEM_NAMESPACE = 'sidecarset-system';

/** Their Pods get no sidecars: without them there is no cluster that could run the operator. */
export const IGNORED_NAMESPACES: readonly string[] = ['kube-system', 'kube-public'];
