import { explorations } from './explorations.js';
import { bucket } from './scenarios/bucket.js';

explorations(bucket, { count: 110, kept: [347] });
