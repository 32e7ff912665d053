import { run } from '@keelson/runtime';
import { operator } from './prometheus-operator.js';

await run(operator);
