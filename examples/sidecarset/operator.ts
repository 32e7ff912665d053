import { run } from '@keelson/runtime';
import { operator } from './sidecarset-operator.js';

await run(operator);
