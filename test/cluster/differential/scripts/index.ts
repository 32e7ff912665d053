import type { Script } from '../script.js';
import { objectScripts } from './objects.js';

/** All that is compared, request by request. */
export const scripts: readonly Script[] = [...objectScripts];
