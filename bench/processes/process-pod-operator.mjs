// What the image of the website operator runs: bench/process-pods.ts makes one file of it.
import { run } from '@keelson/runtime';
import { websiteOperator } from './website.mjs';

await run(websiteOperator());
