import { run } from '@keelson/runtime';
import { operator } from './memcached-operator.js';

await run(operator);
