import type { BuiltinHandlers } from '../../kinds/index.js';
import { notFound } from '../../status/index.js';

const RESOURCE = { group: '', plural: 'componentstatuses' };

/** A server without etcd, scheduler and controller manager has no components: the list is empty, so that a client that reads all kinds goes on. */
export function componentStatusHandler(): NonNullable<BuiltinHandlers[string]> {
  return async ({ name }) => {
    if (name !== '') throw notFound(RESOURCE, name);
    return { code: 200, body: { kind: 'ComponentStatusList', apiVersion: 'v1', metadata: {}, items: [] } };
  };
}
