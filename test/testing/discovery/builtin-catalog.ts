import { builtinResources } from '../../../src/testing/builtin-kinds/index.js';
import { ResourceCatalog } from '../../../src/testing/resources/index.js';

/** All built-in kinds, over a cluster without objects. */
export function builtinCatalog(): ResourceCatalog {
  const catalog = new ResourceCatalog();
  const cluster = { revision: 0, get: () => undefined, list: () => [] };
  for (const resource of builtinResources({ cluster, serviceRange: '10.0.0.0/24' })) catalog.put(resource);
  return catalog;
}
