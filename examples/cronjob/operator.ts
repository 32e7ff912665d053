import { run } from '@keelson/runtime';
import { operator } from './cronjob-operator.js';

await run(operator);
