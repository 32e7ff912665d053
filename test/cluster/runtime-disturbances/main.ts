import { run } from '@keelson/runtime';
import { operator } from './website.js';

await run(operator);
