import type { Subresource } from '../../contract/index.js';

/**
 * What answers requests that are no reads and writes of stored objects, by name: `pods/eviction`, `serviceaccounts/token`,
 * `tokenreviews.authentication.k8s.io`. What has no handler answers 501.
 */
export type BuiltinHandlers = Readonly<Record<string, NonNullable<Subresource['handle']>>>;
