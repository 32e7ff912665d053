import { ResourceCatalog } from '../../../../src/api-server/contract/index.js';
import { builtinResources } from '../../../../src/api-server/kinds/builtin/index.js';

/** All built-in kinds, over a cluster without objects. */
export function builtinCatalog(): ResourceCatalog {
  const catalog = new ResourceCatalog();
  const cluster = { revision: 0, get: () => undefined, list: () => [] };
  for (const resource of builtinResources({ cluster, serviceRange: '10.0.0.0/24' })) catalog.put(resource);
  return catalog;
}
