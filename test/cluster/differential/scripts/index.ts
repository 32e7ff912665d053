import type { Script } from '../script.js';
import { customResourceScripts } from './custom-resources.js';
import { objectScripts } from './objects.js';
import { patchScripts } from './patches.js';
import { pathScripts } from './paths.js';
import { subresourceScripts } from './subresources.js';
import { webhookScripts } from './webhooks.js';

/** All that is compared, request by request. */
export const scripts: readonly Script[] = [
  ...objectScripts,
  ...patchScripts,
  ...customResourceScripts,
  ...pathScripts,
  ...subresourceScripts,
  ...webhookScripts,
];
